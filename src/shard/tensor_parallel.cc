#include "shard/tensor_parallel.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <unordered_map>

#include "model/attributes.h"
#include "model/weights/spill_weights.h"
#include "shard/collective_nodes.h"
#include "shard/split_weight.h"
#include "surgeon/graph/sort_nodes.h"

namespace assay::shard {
namespace {

using base::ErrorKind;
using base::fail;

base::Status split_heads(onnx::NodeProto& node, std::string_view name, const Part& part) {
  onnx::AttributeProto* heads = model::find_attribute(node, name);
  if (heads == nullptr || heads->type() != onnx::AttributeProto::INT) {
    return fail(ErrorKind::invalid_input,
                fmt::format("{} has no integer attribute {}", model::describe_node(node), name), "--parallelism",
                "Tensor parallelism splits AttentionPlugin, as TensorRT Edge-LLM exports it");
  }
  ASSAY_ASSIGN(const std::int64_t left,
               part_of(heads->i(), part, fmt::format("{} of {}", name, model::describe_node(node))));
  heads->set_i(left);
  return {};
}

// Divides the number of heads that a cache of K and V, an input or output of the graph, declares.
base::Status split_cache(onnx::GraphProto& graph, const std::string& name, const Part& part) {
  constexpr int kHeads = 2;  // batch, K or V, heads, sequence, size of a head
  for (auto* ports : {graph.mutable_input(), graph.mutable_output()}) {
    for (onnx::ValueInfoProto& port : *ports) {
      if (port.name() != name || port.type().tensor_type().shape().dim_size() <= kHeads) continue;
      auto& heads = *port.mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim(kHeads);
      if (!heads.has_dim_value()) continue;
      ASSAY_ASSIGN(const std::int64_t left,
                   part_of(heads.dim_value(), part, fmt::format("dimension {} of '{}'", kHeads, name)));
      heads.set_dim_value(left);
    }
  }
  return {};
}

base::Status split_weights(model::Model& model, const std::vector<ParallelLayer>& layers, const Part& part,
                           const base::Stop& stop) {
  std::unordered_map<std::string_view, int> axes;
  for (const ParallelLayer& layer : layers) {
    for (const SplitWeight& weight : layer.weights) axes[weight.name] = weight.axis;
  }
  model::WeightSpill spill(model);
  for (onnx::TensorProto& weight : *model.graph().mutable_initializer()) {
    const auto axis = axes.find(weight.name());
    if (axis == axes.end()) continue;
    if (stop.requested()) return fail(ErrorKind::interrupted, "stopped; not all models were written");
    ASSAY_TRY(keep_part(model, weight, axis->second, part, spill));
    for (onnx::ValueInfoProto& input : *model.graph().mutable_input()) {  // as in IR version 3
      if (input.name() != weight.name() || input.type().tensor_type().shape().dim_size() <= axis->second) continue;
      auto& size = *input.mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim(axis->second);
      size.set_dim_value(weight.dims(axis->second));
    }
  }
  return spill.finish(model);
}

}  // namespace

base::Expected<model::Model> model_of_rank(const model::Model& model, const std::vector<ParallelLayer>& layers,
                                           const Collective& collective, std::int64_t rank, const base::Stop& stop) {
  const Part part{.index = rank, .count = collective.rank_count};
  model::Model of_rank = model;
  onnx::GraphProto& graph = of_rank.graph();
  ASSAY_TRY(split_weights(of_rank, layers, part, stop));
  CollectiveNodes nodes(graph, collective);
  for (const ParallelLayer& layer : layers) {
    if (layer.attention != model::kNone) {
      onnx::NodeProto& plugin = *graph.mutable_node(layer.attention);
      ASSAY_TRY(split_heads(plugin, "num_q_heads", part));
      ASSAY_TRY(split_heads(plugin, "num_kv_heads", part));
      ASSAY_TRY(split_cache(graph, layer.past, part));
      ASSAY_TRY(split_cache(graph, layer.present, part));
    }
    nodes.insert_after(layer.result, kAllReduce);
  }
  graph.clear_value_info();
  ASSAY_TRY(surgeon::sort_nodes(of_rank));
  return of_rank;
}

}  // namespace assay::shard
