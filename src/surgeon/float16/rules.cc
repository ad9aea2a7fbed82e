#include "surgeon/float16/rules.h"

#include <onnx/defs/schema.h>

#include <algorithm>
#include <array>
#include <exception>
#include <string_view>
#include <utility>

#include "edit/node_places.h"
#include "edit/visit_graphs.h"
#include "model/attributes.h"
#include "model/inference/infer_shapes.h"
#include "model/onnx_facts.h"
#include "model/operator_schema.h"

namespace assay::surgeon {
namespace {

using Parameter = onnx::OpSchema::FormalParameter;

// float32 types, and their float16 counterparts.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kTypes = {{
    {"tensor(float)", "tensor(float16)"},
    {"seq(tensor(float))", "seq(tensor(float16))"},
    {"optional(tensor(float))", "optional(tensor(float16))"},
    {"optional(seq(tensor(float)))", "optional(seq(tensor(float16)))"},
}};

// The bodies of these take and return what the node does, in any type. Bodies of other operators (FlexAttention)
// receive what the operator computes, in types of its own.
constexpr std::array<std::string_view, 4> kPassOn = {"If", "Loop", "Scan", "SequenceMap"};

// Their schemas allow float16 on either side, but not in combination with other types on the other side.
constexpr std::array<std::string_view, 1> kByBits = {"BitCast"};

// These stay float32, although their schemas allow float16, and their results are cast.
//
// With the same seed, engines draw other random numbers in float16, if any, so no tensor after them could be compared.
// Windows, mel weights and unit matrices are computed from sizes alone. An engine without a float16 kernel can cast the
// inputs of a node, but these have none of float32, and ONNX Runtime then refuses the model (EyeLike, MelWeightMatrix).
// It can't cast attributes either, and those of TreeEnsemble must have the type of its input. The function that defines
// MeanVarianceNormalization has constants of float32.
constexpr std::array<std::string_view, 13> kInFloat32 = {"RandomNormal",
                                                         "RandomNormalLike",
                                                         "RandomUniform",
                                                         "RandomUniformLike",
                                                         "Bernoulli",
                                                         "Multinomial",
                                                         "HannWindow",
                                                         "HammingWindow",
                                                         "BlackmanWindow",
                                                         "MelWeightMatrix",
                                                         "EyeLike",
                                                         "TreeEnsemble",
                                                         "MeanVarianceNormalization"};

bool is_kept(const onnx::NodeProto& node) {
  if (std::ranges::find(kByBits, node.op_type()) != kByBits.end()) return true;
  return model::has_body(node) && std::ranges::find(kPassOn, node.op_type()) == kPassOn.end();
}

bool is_edge(const onnx::NodeProto& node, const Float16Rules::TypeOf& type_of) {
  if (!edit::is_operator(node, "Cast") || node.input_size() != 1 || node.output_size() != 1) return false;
  const std::string &from = type_of(node.input(0)), &to = type_of(node.output(0));
  return (from == "tensor(float)" && to == "tensor(float16)") || (from == "tensor(float16)" && to == "tensor(float)");
}

bool stays_float32(const onnx::NodeProto& node) {
  return std::ranges::find(kInFloat32, node.op_type()) != kInFloat32.end();
}

std::string type_name(const onnx::TypeProto& type) {
  try {
    return *onnx::Utils::DataTypeUtils::ToType(type);
  } catch (const std::exception&) {  // an empty type, or one that ONNX does not know
    return {};
  }
}

Types types_of(const onnx::GraphProto& graph) {
  Types types;
  for (const onnx::TensorProto& weight : graph.initializer()) {
    onnx::TypeProto type;
    type.mutable_tensor_type()->set_elem_type(weight.data_type());
    types.emplace(weight.name(), type_name(type));
  }
  for (const onnx::SparseTensorProto& weight : graph.sparse_initializer()) {
    onnx::TypeProto type;
    type.mutable_tensor_type()->set_elem_type(weight.values().data_type());
    types.emplace(weight.values().name(), type_name(type));
  }
  for (const auto* values : {&graph.input(), &graph.output(), &graph.value_info()}) {
    for (const onnx::ValueInfoProto& value : *values) {
      std::string& type = types[value.name()];
      if (type.empty()) type = type_name(value.type());
    }
  }
  return types;
}

bool takes_float16(const Parameter* parameter, const std::string& type) {
  const auto row = std::ranges::find(kTypes, type, &std::pair<std::string_view, std::string_view>::first);
  if (parameter == nullptr || row == kTypes.end()) return false;
  return std::ranges::any_of(parameter->GetTypes(),
                             [&](const std::string* allowed) { return *allowed == row->second; });
}

void add_operand(const Parameter* parameter, const std::string& name, const std::string& type, NodePrecision& node,
                 std::vector<Precision>& precisions) {
  const bool half = takes_float16(parameter, type);
  precisions.push_back(half ? Precision::float16 : Precision::float32);
  node.has_float16 |= half;
  node.has_float32 |= !half && is_float32(type);
  node.unknown |= !name.empty() && type.empty();
}

}  // namespace

std::vector<Types> types_by_graph(const model::Model& model) {
  model::Model inferred = model;
  // A model that breaks inference may be the one under investigation: its own declarations are used then.
  (void)model::infer_shapes(inferred);
  std::vector<Types> types;
  edit::visit_graphs(inferred.graph(), [&](const onnx::GraphProto& graph) { types.push_back(types_of(graph)); });
  return types;
}

bool is_float32(const std::string& type) {
  return std::ranges::find(kTypes, type, &std::pair<std::string_view, std::string_view>::first) != kTypes.end();
}

Float16Rules::Float16Rules(const model::Model& model) {
  for (const onnx::OperatorSetIdProto& opset : model.proto.opset_import()) {
    versions_[model::domain_key(opset.domain())] = static_cast<int>(opset.version());
  }
}

const onnx::OpSchema* Float16Rules::schema(const onnx::NodeProto& node) const {
  const auto version = versions_.find(model::domain_key(node.domain()));
  if (version == versions_.end()) return nullptr;
  return onnx::OpSchemaRegistry::Schema(node.op_type(), version->second, version->first);
}

NodePrecision Float16Rules::precision(const onnx::NodeProto& node, const TypeOf& type_of, bool keep) const {
  NodePrecision result;
  const onnx::OpSchema* known = schema(node);
  for (int i = 0; i < node.input_size(); ++i) {
    add_operand(known == nullptr ? nullptr : model::formal_input(*known, i), node.input(i), type_of(node.input(i)),
                result, result.inputs);
  }
  for (int i = 0; i < node.output_size(); ++i) {
    add_operand(known == nullptr ? nullptr : model::formal_output(*known, i), node.output(i), type_of(node.output(i)),
                result, result.outputs);
  }
  result.unknown |= known == nullptr;
  result.kept = keep || result.unknown || is_kept(node);
  if (result.kept || stays_float32(node)) {
    std::ranges::fill(result.inputs, Precision::float32);
    std::ranges::fill(result.outputs, Precision::float32);
    result.has_float32 |= result.has_float16;
    result.has_float16 = false;
  }
  result.is_edge = !result.kept && is_edge(node, type_of);
  if (result.is_edge) result.has_float16 = type_of(node.output(0)) == "tensor(float)";  // see Float16Plan::settle_edges
  return result;
}

std::string Float16Rules::output_type(const onnx::NodeProto& node, int index, const TypeOf& type_of) const {
  const onnx::OpSchema* known = schema(node);
  const Parameter* output_formal = known == nullptr ? nullptr : model::formal_output(*known, index);
  if (output_formal == nullptr) return {};
  if (output_formal->GetTypes().size() == 1) return **output_formal->GetTypes().begin();
  if (!output_formal->GetIsHomogeneous()) return {};
  for (int i = 0; i < node.input_size(); ++i) {
    const Parameter* input_formal = model::formal_input(*known, i);
    if (input_formal == nullptr || !input_formal->GetIsHomogeneous() ||
        input_formal->GetTypeStr() != output_formal->GetTypeStr())
      continue;
    if (const std::string& type = type_of(node.input(i)); !type.empty()) return type;
  }
  return {};
}

}  // namespace assay::surgeon
