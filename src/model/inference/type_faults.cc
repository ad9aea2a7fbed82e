// Inference runs on a copy without declared types of inner tensors and outputs, so that what is inferred depends on the
// nodes alone and can be compared with what is declared. Its nodes have names that can be found in ONNX's message,
// which lists the errors of all nodes.
#include "model/inference/type_faults.h"

#include <fmt/format.h>
#include <onnx/defs/data_type_utils.h>

#include <algorithm>
#include <charconv>
#include <exception>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "model/graph_view.h"
#include "model/inference/inference_copy.h"
#include "model/inference/inference_limits.h"
#include "model/onnx_facts.h"
#include "model/operator_schema.h"
#include "model/sort_graph.h"
#include "tensor/element_type.h"

namespace assay::model {
namespace {

using Infos = std::map<std::string, TensorInfo>;
using Faults = std::vector<TypeFault>;

constexpr std::string_view kMark = "node name: assay_node_";  // begins the place of an error in the message
// Part of inference's message about a node that reads a result without an inferred type. Such a node isn't at fault.
constexpr std::string_view kNoType = "expected to have type but instead is null";
// Likewise about a node that reads values that weren't loaded (--ignore-external-data).
constexpr std::string_view kNoValues = "Cannot parse data from external tensors";

std::string type_name(std::int32_t type) {
  return std::string(tensor::name(static_cast<tensor::ElementType>(type)));
}

// The copy on which inference runs.
std::unique_ptr<InferenceCopy> bare_copy(const Model& model) {
  auto copy = std::make_unique<InferenceCopy>(model, InferenceCopy::Values::all);
  onnx::GraphProto& graph = *copy->proto().mutable_graph();
  graph.clear_value_info();
  for (onnx::ValueInfoProto& output : *graph.mutable_output()) output.clear_type();
  for (int i = 0; i < graph.node_size(); ++i) graph.mutable_node(i)->set_name(fmt::format("assay_node_{}", i));
  (void)sort_graph(graph);  // inference follows the order of the file
  // Inference ends at the first node whose domain isn't imported. A version makes it skip such nodes.
  std::set<std::string> imported;
  for (const onnx::OperatorSetIdProto& opset : model.proto.opset_import()) imported.insert(opset.domain());
  for (const onnx::NodeProto& node : graph.node()) {
    if (is_default_domain(node.domain()) || !imported.insert(node.domain()).second) continue;
    onnx::OperatorSetIdProto* opset = copy->proto().add_opset_import();
    opset->set_domain(node.domain());
    opset->set_version(1);
  }
  return copy;
}

// Returns ONNX's message, or nothing if inference succeeds.
std::string infer(onnx::ModelProto& model, const InferenceOptions& options) {
  if (std::string why = why_inference_is_unbounded(model); !why.empty()) return why;
  try {
    run_inference(model, options);
    return {};
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "unknown exception";
  }
}

// Splits the message at the marks. What comes before the mark, "(op_type:MatMul, ", belongs to the error, too.
void add_errors(std::string_view message, int nodes, Faults& faults) {
  std::size_t at = message.find(kMark);
  while (at != std::string::npos) {
    const std::size_t next = message.find(kMark, at + kMark.size());
    const char* digits = message.data() + at + kMark.size();
    std::size_t node = 0;
    const auto end = std::from_chars(digits, message.data() + message.size(), node).ptr;
    std::size_t begin = static_cast<std::size_t>(end - message.data());
    if (message.compare(begin, 3, "): ") == 0) begin += 3;
    std::size_t stop = next == std::string::npos ? message.size() : message.rfind("(op_type:", next);
    while (stop > begin && message[stop - 1] == '\n') --stop;
    const std::string_view text = message.substr(begin, stop - begin);
    const bool is_cause =
        text.find(kNoType) == std::string_view::npos && text.find(kNoValues) == std::string_view::npos;
    if (is_cause && node < static_cast<std::size_t>(nodes) && !text.empty()) {
      faults.push_back({TypeFault::Kind::inference, static_cast<NodeId>(node), std::string(text)});
    }
    at = next;
  }
}

std::optional<std::int32_t> known_type(const Infos& infos, const std::string& tensor) {
  const auto info = infos.find(tensor);
  if (info == infos.end() || info->second.type == tensor::ElementType::undefined) return std::nullopt;
  return static_cast<std::int32_t>(info->second.type);
}

onnx::DataType schema_type(std::int32_t element) {
  onnx::TypeProto type;
  type.mutable_tensor_type()->set_elem_type(element);
  return onnx::Utils::DataTypeUtils::ToType(type);
}

// Returns what is wrong with the types of a node's inputs, or nothing. Inputs of the same type parameter have to have
// the same type.
std::string wrong_inputs(const Model& model, const onnx::NodeProto& node, const Infos& infos) {
  const onnx::OpSchema* schema = operator_schema(model, node);
  if (schema == nullptr) return {};
  std::map<std::string, std::pair<std::int32_t, int>> bound;  // type and input, by type parameter
  for (int i = 0; i < node.input_size(); ++i) {
    const auto* formal = formal_input(*schema, i);
    const auto type = known_type(infos, node.input(i));
    if (formal == nullptr || !type) continue;
    if (!formal->GetTypes().contains(schema_type(*type))) {
      return fmt::format("{} doesn't take {} for input {} ('{}', which is '{}')", node.op_type(), type_name(*type), i,
                         formal->GetName(), node.input(i));
    }
    if (formal->GetOption() == onnx::OpSchema::Variadic && !formal->GetIsHomogeneous()) continue;
    const auto [before, is_new] = bound.try_emplace(formal->GetTypeStr(), *type, i);
    if (is_new || before->second.first == *type) continue;
    return fmt::format("Inputs {} ('{}') and {} ('{}') have to have the same type, but are {} and {}",
                       before->second.second, node.input(before->second.second), i, node.input(i),
                       type_name(before->second.first), type_name(*type));
  }
  return {};
}

std::string shape_text(const TensorInfo& info) {
  std::vector<std::string> sizes;
  for (const Dimension& dimension : *info.shape) {
    sizes.push_back(dimension.value >= 0 ? fmt::format("{}", dimension.value) : "?");
  }
  return fmt::format("({})", fmt::join(sizes, ", "));
}

bool shapes_agree(const TensorInfo& first, const TensorInfo& second) {
  if (!first.shape || !second.shape) return true;
  return std::ranges::equal(*first.shape, *second.shape, [](const Dimension& a, const Dimension& b) {
    return a.value < 0 || b.value < 0 || a.value == b.value;
  });
}

// An engine has to follow one of the two, so another type is an error; another shape is one in some engines only.
void compare_declared(const onnx::ValueInfoProto& declared, const Infos& inferred, const GraphView& view,
                      Faults& faults) {
  const auto found = inferred.find(declared.name());
  const TensorId tensor = view.find(declared.name());
  if (found == inferred.end() || view.producer(tensor) == kNone) return;
  const TensorInfo info = tensor_info(declared);
  constexpr auto kUnknown = tensor::ElementType::undefined;
  if (info.type != found->second.type && info.type != kUnknown && found->second.type != kUnknown) {
    faults.push_back({TypeFault::Kind::declared_type, view.producer(tensor),
                      fmt::format("The tensor '{}' is declared as {}, but the node computes {}", declared.name(),
                                  tensor::name(info.type), tensor::name(found->second.type)),
                      declared.name()});
  } else if (!shapes_agree(info, found->second)) {
    faults.push_back({TypeFault::Kind::declared_shape, view.producer(tensor),
                      fmt::format("The tensor '{}' is declared with the shape {}, but the node computes {}",
                                  declared.name(), shape_text(info), shape_text(found->second)),
                      declared.name()});
  }
}

}  // namespace

TypeFaults find_type_faults(const Model& model) {
  TypeFaults result;
  const auto strict = bare_copy(model);
  add_errors(infer(strict->proto(), {.throw_errors = true}), model.graph().node_size(), result.faults);

  const auto bare = bare_copy(model);
  infer(bare->proto(), {});
  Model inferred_model;
  inferred_model.proto = std::move(*bare).restored();
  const Infos inferred = known_tensors(inferred_model);
  const GraphView view(model.graph());
  for (const onnx::ValueInfoProto& value : model.graph().output()) {
    compare_declared(value, inferred, view, result.faults);
  }
  for (const onnx::ValueInfoProto& value : model.graph().value_info()) {
    compare_declared(value, inferred, view, result.faults);
  }

  result.known = inferred;
  for (const auto& [name, declared] : known_tensors(model)) {
    TensorInfo& info = result.known[name];
    if (info.type == tensor::ElementType::undefined) info.type = declared.type;
    if (!info.shape) info.shape = declared.shape;
  }
  for (int i = 0; i < model.graph().node_size(); ++i) {
    std::string message = wrong_inputs(model, model.graph().node(i), result.known);
    if (!message.empty()) result.faults.push_back({TypeFault::Kind::inputs, i, std::move(message)});
  }
  return result;
}

}  // namespace assay::model
