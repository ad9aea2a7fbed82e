// Nodes are only added at the end until everything is connected, so that the positions of attention layers stay valid.
#include "shard/shard_model.h"

#include <fmt/format.h>
#include <onnx/defs/attr_proto_util.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "base/counted.h"
#include "edit/node_names.h"
#include "edit/rename_tensors.h"
#include "edit/unused_name.h"
#include "edit/visit_graphs.h"
#include "model/graph_view.h"
#include "shard/find_attention.h"
#include "surgeon/graph/sort_nodes.h"
#include "surgeon/graph/tensor_names.h"

namespace assay::shard {
namespace {

using base::ErrorKind;
using base::fail;
using model::GraphView;
using model::kNone;
using model::TensorId;

constexpr std::string_view kScatter = "reduce_scatter";
constexpr std::string_view kGather = "all_gather";

void rename_reads(onnx::GraphProto& graph, const std::string& from, const std::string& to) {
  for (onnx::NodeProto& node : *graph.mutable_node()) {
    for (std::string& input : *node.mutable_input()) {
      if (input == from) input = to;
    }
    edit::visit_bodies(node, [&](onnx::GraphProto& body) { edit::rename_tensors(body, {{from, to}}); });
  }
}

class Sharding {
 public:
  Sharding(onnx::GraphProto& graph, const ShardHints& hints)
      : graph_(graph),
        hints_(hints),
        view_copy_(graph),
        view_(view_copy_),
        layers_(find_attention(view_)),
        node_names_(graph) {
    edit::visit_all_names(graph, [&](const std::string& name) { names_.insert(name); });
  }

  base::Status run() {
    ASSAY_TRY(check());
    for (const ShardTensor& input : hints_.inputs) ASSAY_TRY(insert_after(input, kScatter));
    for (const AttentionHint& hint : hints_.layers) {
      for (const Attention& layer : layers_) {
        if (view_.node(layer.scores).input(0) == hint.q) ASSAY_TRY(gather(layer, hint));
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
      const auto reads = [&](const Attention& layer) { return view_.node(layer.scores).input(0) == hint.q; };
      if (std::ranges::any_of(layers_, reads)) continue;
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
                          kGather);
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

  // Returns the rank that the model declares, or else `fallback`.
  [[nodiscard]] std::optional<int> rank_of(const std::string& tensor, std::optional<int> fallback) const {
    const onnx::ValueInfoProto* value = view_.value_info(view_.find(tensor));
    if (value == nullptr || !value->type().tensor_type().has_shape()) return fallback;
    return value->type().tensor_type().shape().dim_size();
  }

  base::Status insert_after(const ShardTensor& tensor, std::string_view operation) {
    ShardTensor known = tensor;
    if (view_.find(tensor.name) != kNone) known.rank = rank_of(tensor.name, tensor.rank);
    const std::string added = unique_name(tensor.name + (operation == kScatter ? "_part" : "_whole"));
    rename_reads(graph_, tensor.name, added);
    if (operation == kGather) gathered_.insert(added);
    return connect(known, tensor.name, added, operation);
  }

  // The output keeps its name; what computed it computes a new tensor. Readers inside the graph read that one.
  base::Status insert_before(const ShardTensor& output) {
    ShardTensor known = output;
    known.rank = rank_of(output.name, output.rank);
    const std::string part = unique_name(output.name + "_part");
    rename_reads(graph_, output.name, part);
    for (onnx::NodeProto& node : *graph_.mutable_node()) {
      for (std::string& name : *node.mutable_output()) {
        if (name == output.name) name = part;
      }
    }
    for (onnx::ValueInfoProto& value : *graph_.mutable_output()) {
      if (value.name() == output.name) value.mutable_type()->mutable_tensor_type()->clear_shape();
    }
    return connect(known, part, output.name, kGather);
  }

  // Adds the collective from one tensor to another, and transposes around it if the axis isn't the first.
  base::Status connect(const ShardTensor& tensor, std::string from, const std::string& to, std::string_view operation) {
    if (tensor.axis < 0 || (tensor.rank ? tensor.axis >= *tensor.rank : tensor.axis > 0)) {
      const std::string rank =
          tensor.rank ? "has " + base::counted(*tensor.rank, "dimension") : std::string("has an unknown rank");
      return fail(ErrorKind::invalid_input,
                  fmt::format("'{}' {}, so its dimension {} can't be split", tensor.name, rank, tensor.axis),
                  "seq_len_idx",
                  tensor.rank ? "Name another dimension, or leave the tensor out of the hints"
                              : "Use --shape-inference, or set the rank in the hints");
    }
    if (tensor.axis == 0) {
      add_collective(from, to, operation);
      return {};
    }
    const std::string first = unique_name(to + "_first"), moved = unique_name(to + "_moved");
    add_transpose(from, first, tensor.axis, *tensor.rank);
    add_collective(first, moved, operation);
    add_transpose(moved, to, tensor.axis, *tensor.rank);
    return {};
  }

  onnx::NodeProto& add_node(const char* op, const std::string& from, const std::string& to) {
    onnx::NodeProto& node = *graph_.add_node();
    node.set_op_type(op);
    node_names_.give(node, "make_" + to);
    node.add_input(from);
    node.add_output(to);
    return node;
  }

  // Exchanges the first dimension with `axis`.
  void add_transpose(const std::string& from, const std::string& to, int axis, int rank) {
    std::vector<std::int64_t> order;
    for (int i = 0; i < rank; ++i) order.push_back(i == 0 ? axis : i == axis ? 0 : i);
    *add_node("Transpose", from, to).add_attribute() = onnx::MakeAttribute("perm", order);
  }

  void add_collective(const std::string& from, const std::string& to, std::string_view operation) {
    const Collective& collective = hints_.collective;
    auto& attributes = *add_node("DistCollective", from, to).mutable_attribute();
    *attributes.Add() = onnx::MakeAttribute("group_size", collective.group_size);
    *attributes.Add() = onnx::MakeAttribute("root", collective.root);
    *attributes.Add() = onnx::MakeAttribute("nb_rank", collective.rank_count);
    *attributes.Add() = onnx::MakeAttribute("reduce_op", operation == kScatter ? collective.reduce_op : "none");
    *attributes.Add() = onnx::MakeAttribute("collective_operation", std::string(operation));
    *attributes.Add() = onnx::MakeAttribute("groups", collective.groups);
  }

  std::string unique_name(const std::string& wanted) {
    return edit::unused_name(
        wanted, [&](const std::string& name) { return !names_.insert(name).second; }, 0);
  }

  onnx::GraphProto& graph_;
  const ShardHints& hints_;
  const onnx::GraphProto view_copy_;  // as it was, for names of layers and ranks
  const GraphView view_;
  const std::vector<Attention> layers_;
  std::set<std::string> names_;  // of tensors
  edit::NodeNames node_names_;
  std::set<std::string> gathered_;
  int whole_ = 0, split_ = 0;  // layers whose Q is gathered, or isn't
};

}  // namespace

base::Status shard_model(model::Model& model, const ShardHints& hints) {
  ASSAY_TRY(Sharding(model.graph(), hints).run());
  return surgeon::sort_nodes(model);
}

}  // namespace assay::shard
