#include "surgeon/weights/strip_weights.h"

#include <onnx/defs/schema.h>

#include <algorithm>
#include <array>

#include "model/clear_values.h"
#include "model/external_data.h"
#include "model/graph_view.h"
#include "model/weights.h"
#include "surgeon/weights/sparse_groups.h"

namespace assay::surgeon {
namespace {

using model::GraphView;
using model::kNone;
using model::NodeId;
using model::TensorId;

// The operators whose weights are emptied.
struct Reader {
  std::string_view op;
  std::uint64_t least_elements;  // smaller weights stay
  // The number of leading inputs at which a Transpose, or a QuantizeLinear with a DequantizeLinear, may follow the
  // weight. As in Polygraphy, the kernel of a Conv isn't among them.
  int looks_through;
};
constexpr std::array kReaders = {
    Reader{"Conv", 0, 1},   Reader{"ConvTranspose", 0, 1}, Reader{"Gemm", 0, 3},
    Reader{"MatMul", 0, 2}, Reader{"Gather", 1024, 0},     Reader{"Slice", 1024, 0},
};

// Operators that ONNX doesn't have, whatever their domain, are plugins.
constexpr Reader kPlugin{"", 0, 0};

// Returns null if the operator's weights stay.
const Reader* find_reader(const std::string& op) {
  const auto reader = std::ranges::find(kReaders, op, &Reader::op);
  if (reader != kReaders.end()) return &*reader;
  return onnx::OpSchemaRegistry::Schema(op) == nullptr ? &kPlugin : nullptr;
}

// Returns the first input of the node that computes `tensor`, if it is an `op` whose output only one node reads.
TensorId before(const GraphView& view, TensorId tensor, std::string_view op) {
  const NodeId producer = view.producer(tensor);
  if (producer == kNone || view.node(producer).op_type() != op || view.node(producer).input_size() == 0) return kNone;
  if (view.consumers(tensor).size() > 1 || view.is_graph_output(tensor)) return kNone;
  return view.find(view.node(producer).input(0));
}

const onnx::TensorProto* find_weight(const GraphView& view, TensorId tensor, bool looks_through) {
  if (const onnx::TensorProto* weight = view.initializer(tensor)) return weight;
  if (!looks_through) return nullptr;
  for (const TensorId source :
       {before(view, tensor, "Transpose"), before(view, before(view, tensor, "DequantizeLinear"), "QuantizeLinear")}) {
    if (const onnx::TensorProto* weight = view.initializer(source)) return weight;
  }
  return nullptr;
}

struct Candidates {
  std::set<std::string> weights;    // initializers, by name
  std::set<std::string> constants;  // outputs of Constant nodes
  std::set<std::string> sparse;     // sparse initializers
};

Candidates find_candidates(const GraphView& view) {
  Candidates found;
  for (const onnx::NodeProto& node : view.graph().node()) {
    const Reader* reader = find_reader(node.op_type());
    if (reader == nullptr) continue;
    for (int at = 0; at < node.input_size(); ++at) {
      const std::string& input = node.input(at);
      const TensorId tensor = view.find(input);
      const NodeId producer = view.producer(tensor);
      const bool constant = producer != kNone && view.node(producer).op_type() == "Constant";
      if (constant && reader->least_elements == 0) found.constants.insert(input);
      const bool sparse = view.is_initializer(tensor) && view.initializer(tensor) == nullptr;
      if (sparse && reader->least_elements == 0) found.sparse.insert(input);
      const onnx::TensorProto* weight = find_weight(view, tensor, at < reader->looks_through);
      // Packed weights of quantized operators, for example, are uint8; Polygraphy keeps them, too. Strings have no raw
      // data that could be empty.
      if (weight == nullptr || weight->data_type() == onnx::TensorProto::UINT8) continue;
      if (weight->data_type() == onnx::TensorProto::STRING) continue;
      const auto elements = tensor::element_count(model::shape(*weight));
      if (elements && *elements >= reader->least_elements) found.weights.insert(weight->name());
    }
  }
  return found;
}

void mark_model(onnx::ModelProto& model) {
  std::string& text = *model.mutable_doc_string();
  if (!text.empty()) text += '-';
  text += kWeightlessModel;
}

}  // namespace

bool is_stripped(const onnx::TensorProto& weight) {
  return weight.doc_string().starts_with(kWeightless) && model::has_no_values(weight);
}

base::Expected<StrippedWeights> strip_weights(model::Model& model, const std::set<std::string>& excluded,
                                              base::Log& log) {
  StrippedWeights result;
  const Candidates candidates = find_candidates(GraphView(model.graph()));
  result.in_constants = static_cast<int>(candidates.constants.size());
  const auto sparse_groups = find_sparse_groups(model);
  std::set<std::string> missing = excluded;
  for (const onnx::SparseTensorProto& weight : model.graph().sparse_initializer())
    missing.erase(weight.values().name());
  result.stored_sparse = static_cast<int>(
      std::ranges::count_if(candidates.sparse, [&](const auto& name) { return !excluded.contains(name); }));
  for (onnx::TensorProto& weight : *model.graph().mutable_initializer()) {
    missing.erase(weight.name());
    if (!candidates.weights.contains(weight.name()) || excluded.contains(weight.name()) || model::has_no_values(weight))
      continue;
    bool sparse = false;
    if (const auto groups = sparse_groups.find(&weight); groups != sparse_groups.end()) {
      if (model.weights_ignored && model::is_external(weight) && !model::was_inline(weight)) {
        log.warning("'{}' is not marked as sparse: its values were not loaded", weight.name());
      } else {
        ASSAY_ASSIGN(sparse, is_sparse(model, weight, groups->second));
      }
    }
    result.bytes += model::data_bytes(weight);
    model::clear_values(weight);
    weight.set_raw_data("");
    weight.set_doc_string(std::string(sparse ? kWeightlessSparse : kWeightless));
    ++result.stripped;
    result.sparse += sparse ? 1 : 0;
  }
  if (result.stripped > 0) mark_model(model.proto);
  result.not_found.assign(missing.begin(), missing.end());
  return result;
}

}  // namespace assay::surgeon
