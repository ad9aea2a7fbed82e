#include "shard/propose_hints.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/at.h"
#include "model/dependencies.h"

namespace assay::shard {
namespace {

using base::at;
using model::GraphView;
using model::kNone;
using model::NodeId;
using model::TensorId;

std::optional<int> rank_of(const GraphView& view, TensorId tensor) {
  if (const onnx::TensorProto* weight = view.initializer(tensor)) return weight->dims_size();
  const onnx::ValueInfoProto* value = view.value_info(tensor);
  if (value == nullptr || !value->type().tensor_type().has_shape()) return std::nullopt;
  return value->type().tensor_type().shape().dim_size();
}

// Returns the dimension that is named like the length of the sequence, or else `fallback`.
int sequence_axis(const onnx::ValueInfoProto& port, int fallback) {
  const auto& sizes = port.type().tensor_type().shape().dim();
  const auto named = std::ranges::find_if(sizes, [](const onnx::TensorShapeProto::Dimension& size) {
    return size.dim_param() == "sequence_length" || size.dim_param() == "seq_len";
  });
  return named == sizes.end() ? fallback : static_cast<int>(named - sizes.begin());
}

// Marks the tensors and all on which they depend.
std::vector<bool> ancestors(const GraphView& view, const std::vector<TensorId>& tensors) {
  std::vector<bool> found(at(view.tensor_count()));
  for (const TensorId tensor : tensors) found[at(tensor)] = true;
  const std::vector<bool> needed = model::needed_nodes(view, tensors, [](TensorId) { return false; });
  for (NodeId node = 0; node < view.node_count(); ++node) {
    if (!needed[at(node)]) continue;
    for (const TensorId input : view.inputs(node)) found[at(input)] = true;
  }
  return found;
}

}  // namespace

ShardHints propose_hints(const model::Model& model, const Proposal& proposal) {
  ShardHints hints = proposal.hints;
  const GraphView view(model.graph());
  std::vector<TensorId> read, computed;
  std::set<std::string> seen;
  std::optional<int> kv_rank;
  for (const Attention& layer : find_attention(view, proposal.form)) {
    if (seen.insert(layer.q).second) {
      hints.layers.push_back({.q = layer.q, .gather_kv = !proposal.replace, .replace = proposal.replace});
    }
    if (!kv_rank) kv_rank = rank_of(view, view.find(view.node(layer.scores).input(1)));
    if (!kv_rank) kv_rank = rank_of(view, view.find(view.node(layer.result).input(1)));
    for (const NodeId node : {layer.scores, layer.result}) {
      read.insert(read.end(), view.inputs(node).begin(), view.inputs(node).end());
    }
    computed.push_back(view.find(view.node(layer.result).output(0)));
  }
  if (kv_rank) hints.kv_rank = kv_rank;
  if (!proposal.suggest_ports) return hints;
  const auto add = [&](const auto& ports, const std::vector<bool>& marked, int axis, std::optional<int> fallback,
                       std::vector<ShardTensor>& tensors) {
    for (const onnx::ValueInfoProto& port : ports) {
      const TensorId id = view.find(port.name());
      if (id == kNone || view.is_initializer(id) || !marked[at(id)]) continue;
      const auto rank = rank_of(view, id);
      if (rank == 0) continue;  // a scalar can't be split
      tensors.push_back({port.name(), sequence_axis(port, axis), rank ? rank : fallback});
    }
  };
  add(model.graph().input(), ancestors(view, read), proposal.input_axis, proposal.input_rank, hints.inputs);
  add(model.graph().output(), model::computed_from(view, std::move(computed)), proposal.output_axis,
      proposal.output_rank, hints.outputs);
  return hints;
}

}  // namespace assay::shard
