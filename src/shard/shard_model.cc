// Nodes are only added at the end until everything is connected, so that the positions of attention layers stay valid.
#include "shard/shard_model.h"

#include <fmt/format.h>
#include <onnx/defs/attr_proto_util.h>

#include <algorithm>
#include <set>
#include <string>

#include "model/graph_view.h"
#include "shard/collective_nodes.h"
#include "surgeon/graph/drop_unused.h"
#include "surgeon/graph/no_such_tensor.h"
#include "surgeon/graph/sort_nodes.h"

namespace assay::shard {
namespace {

using base::ErrorKind;
using base::fail;
using model::GraphView;
using model::kNone;
using model::TensorId;

class Sharding {
 public:
  Sharding(onnx::GraphProto& graph, const ShardHints& hints, AttentionForm form)
      : graph_(graph),
        hints_(hints),
        view_copy_(graph),
        view_(view_copy_),
        layers_(find_attention(view_, form)),
        nodes_(graph, hints.collective) {}

  base::Status run() {
    ASSAY_TRY(check());
    for (const ShardTensor& input : hints_.inputs) ASSAY_TRY(insert_after(input, kReduceScatter));
    for (const AttentionHint& hint : hints_.layers) {
      for (const Attention& layer : layers_) {
        if (layer.q != hint.q) continue;
        if (hint.replace) {
          fuse(layer, *hint.replace);
        } else {
          ASSAY_TRY(gather(layer, hint));
        }
      }
    }
    if (whole_ > 0 && split_ > 0) {
      return fail(ErrorKind::invalid_input, "Q is gathered in some attention layers only", "attention_layers",
                  "Set gather_q for all layers, or for none");
    }
    if (whole_ > 0) return {};
    for (const ShardTensor& output : hints_.outputs) ASSAY_TRY(insert_before(output));
    return {};
  }

 private:
  base::Status check() const {
    for (const ShardTensor& input : hints_.inputs) {
      const TensorId id = view_.find(input.name);
      if (id == kNone) return fail(surgeon::no_such_tensor(view_, input.name, "inputs"));
    }
    for (const ShardTensor& output : hints_.outputs) {
      const TensorId id = view_.find(output.name);
      if (id == kNone) return fail(surgeon::no_such_tensor(view_, output.name, "outputs"));
      if (!view_.is_graph_output(id) || view_.producer(id) == kNone) {
        return fail(ErrorKind::invalid_input, fmt::format("'{}' is not an output that a node computes", output.name),
                    "outputs", "Name outputs of the model");
      }
    }
    for (const AttentionHint& hint : hints_.layers) {
      if (hint.replace && (hint.gather_q || hint.gather_kv)) {
        return fail(ErrorKind::invalid_input,
                    fmt::format("the attention layer of '{}' is to be both replaced and gathered", hint.q),
                    "attention_layers",
                    "An operator that replaces a layer gathers K and V itself: set gather_q and "
                    "gather_kv to false, or replace to null");
      }
      if (std::ranges::find(layers_, hint.q, &Attention::q) != layers_.end()) continue;
      return fail(ErrorKind::not_found, fmt::format("no attention layer has the Q '{}'", hint.q), "attention_layers",
                  "Create hints for this model with `assay template shard-hints`");
    }
    return {};
  }

  base::Status gather(const Attention& layer, const AttentionHint& hint) {
    const auto gather_operand = [&](const onnx::NodeProto& node, const onnx::NodeProto& original, int operand,
                                    int axis) -> base::Status {
      const std::string tensor = node.input(operand);
      if (gathered_.contains(tensor)) return {};
      return insert_after({.name = tensor, .axis = axis, .rank = rank_of(original.input(operand), hints_.kv_rank)},
                          kAllGather);
    };
    const onnx::NodeProto& scores = graph_.node(layer.scores);
    const onnx::NodeProto& result = graph_.node(layer.result);
    const onnx::NodeProto& old_scores = view_.node(layer.scores);
    if (hint.gather_q) ASSAY_TRY(gather_operand(scores, old_scores, 0, hints_.k_axis));
    if (hint.gather_kv) {
      ASSAY_TRY(gather_operand(scores, old_scores, 1, hints_.k_axis));
      ASSAY_TRY(gather_operand(result, view_.node(layer.result), 1, hints_.v_axis));
    }
    (gathered_.contains(graph_.node(layer.scores).input(0)) ? whole_ : split_) += 1;
    return {};
  }

  // Turns the MatMul with V into the operator, so that the result keeps its name and its place.
  void fuse(const Attention& layer, const FusedAttention& fused) {
    if (graph_.node(layer.result).op_type() == "Attention") return;  // named twice in the hints
    const std::string& q = graph_.node(layer.scores).input(0);
    const std::string& k = graph_.node(layer.scores).input(1);
    const std::string& v = graph_.node(layer.result).input(1);
    const std::vector operands = {transposed(q, fused.q_shuffle), transposed(k, fused.k_shuffle),
                                  transposed(v, fused.v_shuffle)};
    onnx::NodeProto& node = *graph_.mutable_node(layer.result);
    node.set_op_type("Attention");
    node.mutable_input()->Assign(operands.begin(), operands.end());
    *node.add_attribute() = onnx::MakeAttribute("is_causal", std::int64_t{fused.is_causal});
    *node.add_attribute() = onnx::MakeAttribute("scale", 1.0F);
    *node.add_attribute() = onnx::MakeAttribute("TRT_decomposable", std::int64_t{0});
    *node.add_attribute() = onnx::MakeAttribute("nb_rank", fused.rank_count);
    ++split_;
  }

  std::string transposed(const std::string& tensor, const std::vector<std::int64_t>& permutation) {
    if (permutation.empty()) return tensor;
    std::string added = nodes_.unused_name(tensor + "_transposed");
    nodes_.add_transpose(tensor, added, permutation);
    return added;
  }

  // Returns the rank that the model declares, or else `fallback`.
  [[nodiscard]] std::optional<int> rank_of(const std::string& tensor, std::optional<int> fallback) const {
    const onnx::ValueInfoProto* value = view_.value_info(view_.find(tensor));
    if (value == nullptr || !value->type().tensor_type().has_shape()) return fallback;
    return value->type().tensor_type().shape().dim_size();
  }

  base::Status insert_after(const ShardTensor& tensor, std::string_view operation) {
    ShardTensor known = tensor;
    if (view_.find(tensor.name) != kNone) known.rank = rank_of(tensor.name, tensor.rank);
    const std::string added = nodes_.unused_name(tensor.name + (operation == kReduceScatter ? "_part" : "_whole"));
    nodes_.rename_reads(tensor.name, added);
    if (operation == kAllGather) gathered_.insert(added);
    return nodes_.add_collective(known, tensor.name, added, operation);
  }

  // The output keeps its name; what computed it computes a new tensor. Readers inside the graph read that one.
  base::Status insert_before(const ShardTensor& output) {
    ShardTensor known = output;
    known.rank = rank_of(output.name, output.rank);
    const std::string part = nodes_.unused_name(output.name + "_part");
    nodes_.rename_reads(output.name, part);
    for (onnx::NodeProto& node : *graph_.mutable_node()) {
      for (std::string& name : *node.mutable_output()) {
        if (name == output.name) name = part;
      }
    }
    for (onnx::ValueInfoProto& value : *graph_.mutable_output()) {
      if (value.name() == output.name) value.mutable_type()->mutable_tensor_type()->clear_shape();
    }
    return nodes_.add_collective(known, part, output.name, kAllGather);
  }

  onnx::GraphProto& graph_;
  const ShardHints& hints_;
  const onnx::GraphProto view_copy_;  // as it was, for names of layers and ranks
  const GraphView view_;
  const std::vector<Attention> layers_;
  CollectiveNodes nodes_;
  std::set<std::string> gathered_;
  int whole_ = 0, split_ = 0;  // layers whose Q is gathered, or isn't
};

}  // namespace

base::Status shard_model(model::Model& model, const ShardHints& hints, AttentionForm form) {
  ASSAY_TRY(Sharding(model.graph(), hints, form).run());
  if (std::ranges::any_of(hints.layers, [](const AttentionHint& hint) { return hint.replace.has_value(); })) {
    surgeon::drop_dead_nodes(model);  // the first MatMul and the Softmax of layers that were replaced
  }
  return surgeon::sort_nodes(model);
}

}  // namespace assay::shard
