#include "shard/propose_hints.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/at.h"
#include "model/graph_view.h"

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

// Marks `start` and what `next` leads to, tensor by tensor.
template <class Next>
std::vector<bool> reach(const GraphView& view, std::vector<TensorId> start, const Next& next) {
  std::vector<bool> reached(at(view.tensor_count()));
  while (!start.empty()) {
    const TensorId tensor = start.back();
    start.pop_back();
    if (reached[at(tensor)]) continue;
    reached[at(tensor)] = true;
    next(tensor, start);
  }
  return reached;
}

std::vector<bool> ancestors(const GraphView& view, std::vector<TensorId> tensors) {
  return reach(view, std::move(tensors), [&](TensorId tensor, std::vector<TensorId>& more) {
    const NodeId producer = view.producer(tensor);
    if (producer == kNone) return;
    more.insert(more.end(), view.inputs(producer).begin(), view.inputs(producer).end());
  });
}

std::vector<bool> descendants(const GraphView& view, std::vector<TensorId> tensors) {
  return reach(view, std::move(tensors), [&](TensorId tensor, std::vector<TensorId>& more) {
    for (const NodeId reader : view.consumers(tensor)) {
      more.insert(more.end(), view.outputs(reader).begin(), view.outputs(reader).end());
    }
  });
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
  add(model.graph().input(), ancestors(view, std::move(read)), proposal.input_axis, proposal.input_rank, hints.inputs);
  add(model.graph().output(), descendants(view, std::move(computed)), proposal.output_axis, proposal.output_rank,
      hints.outputs);
  return hints;
}

}  // namespace assay::shard
