#include "shard/parallel_layers.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "model/attributes.h"
#include "model/model.h"
#include "shard/has_operands.h"

namespace assay::shard {
namespace {

using base::ErrorKind;
using base::Expected;
using base::fail;
using model::GraphView;
using model::kNone;
using model::NodeId;
using model::TensorId;

// How far a MatMul may be from the AttentionPlugin or the Sigmoid of its layer, in nodes. Polygraphy's limit.
constexpr int kReach = 20;

enum class Direction { above, below };

// Finds the nearest node of a type on the way from a tensor to what computes it, or to what reads it: depth first, in
// the order of inputs or readers. `seen` holds the nodes that needn't be visited again.
NodeId find_along(const GraphView& view, TensorId tensor, std::string_view op, Direction direction, int reach,
                  std::set<NodeId>& seen) {
  if (tensor == kNone || reach == 0) return kNone;
  const NodeId producer = view.producer(tensor);
  const std::span<const NodeId> above = producer == kNone ? std::span<const NodeId>() : std::span(&producer, 1);
  for (const NodeId node : direction == Direction::above ? above : view.consumers(tensor)) {
    if (!seen.insert(node).second) continue;
    if (view.node(node).op_type() == op && has_operands(view.node(node), op == "MatMul" ? 2 : 1)) return node;
    for (const TensorId next : direction == Direction::above ? view.inputs(node) : view.outputs(node)) {
      const NodeId found = find_along(view, next, op, direction, reach - 1, seen);
      if (found != kNone) return found;
    }
  }
  return kNone;
}

NodeId find_above(const GraphView& view, std::string_view tensor, std::string_view op, int reach = kReach) {
  std::set<NodeId> seen;
  return find_along(view, view.find(tensor), op, Direction::above, reach, seen);
}

NodeId find_below(const GraphView& view, std::string_view tensor, std::string_view op) {
  std::set<NodeId> seen;
  return find_along(view, view.find(tensor), op, Direction::below, kReach, seen);
}

// Collects the weights of one layer.
class WeightFinder {
 public:
  WeightFinder(const GraphView& view, std::vector<SplitWeight>& weights) : view_(view), weights_(weights) {}

  // Splits the columns of a MatMul, and the bias that is added to its result.
  base::Status split_columns(NodeId matmul) {
    ASSAY_TRY(trace(view_.node(matmul).input(1), 1, matmul));
    for (const NodeId reader : view_.consumers(view_.find(view_.node(matmul).output(0)))) {
      if (view_.node(reader).op_type() == "Add") ASSAY_TRY(split_bias(reader));
    }
    return {};
  }
  base::Status split_rows(NodeId matmul) { return trace(view_.node(matmul).input(1), 0, matmul); }

 private:
  base::Status split_bias(NodeId add) {
    for (const std::string& operand : view_.node(add).input()) {
      const onnx::TensorProto* bias = view_.initializer(view_.find(operand));
      if (bias == nullptr || bias->dims_size() != 1 || bias->dims(0) == 1) continue;
      ASSAY_TRY(check_readers(operand, add));
      weights_.push_back({operand, 0});
    }
    return {};
  }

  // Follows a matrix that is split along `axis` to its initializer. `reader` needs only a part of it.
  base::Status trace(const std::string& tensor, int axis, NodeId reader) {
    ASSAY_TRY(check_readers(tensor, reader));
    const TensorId id = view_.find(tensor);
    if (const onnx::TensorProto* weight = view_.initializer(id); weight != nullptr && weight->dims_size() == 2) {
      weights_.push_back({tensor, axis});
      return {};
    }
    const NodeId producer = view_.producer(id);
    const bool is_known = producer != kNone && has_operands(view_.node(producer), 1);
    const std::string_view op = is_known ? view_.node(producer).op_type() : std::string_view();
    if (op == "Transpose") return trace(view_.node(producer).input(0), 1 - axis, producer);
    if (op == "Cast" || op == "Identity") return trace(view_.node(producer).input(0), axis, producer);
    if (op == "DequantizeLinear") return trace_quantized(producer, axis);
    return fail(
        ErrorKind::unsupported,
        fmt::format("{} reads '{}', which isn't a matrix among the model's initializers", describe(reader), tensor),
        "--parallelism", "Fold constants first: `assay surgeon sanitize --fold-constants`");
  }

  base::Status trace_quantized(NodeId dequantize, int axis) {
    const onnx::NodeProto& node = view_.node(dequantize);
    ASSAY_TRY(trace(node.input(0), axis, dequantize));
    std::int64_t scale_axis = model::int_attribute(node, "axis", 1);
    if (scale_axis < 0) scale_axis += 2;
    for (int i = 1; i < node.input_size(); ++i) {
      if (!node.input(i).empty()) ASSAY_TRY(trace_scale(node.input(i), axis, scale_axis, dequantize));
    }
    return {};
  }

  // Follows a scale or zero point of a matrix that is split along `axis`. It holds one number for all elements, one for
  // each index of `scale_axis`, or a matrix with one for each block.
  base::Status trace_scale(const std::string& tensor, int axis, std::int64_t scale_axis, NodeId reader) {
    const onnx::TensorProto* scale = view_.initializer(view_.find(tensor));
    if (scale == nullptr || scale->dims_size() == 2) return trace(tensor, axis, reader);
    const bool is_one_number = scale->dims_size() == 0 || scale->dims(0) == 1;
    if (is_one_number || scale_axis != axis) return {};
    ASSAY_TRY(check_readers(tensor, reader));
    weights_.push_back({tensor, 0});
    return {};
  }

  [[nodiscard]] base::Status check_readers(const std::string& tensor, NodeId reader) const {
    if (view_.consumers(view_.find(tensor)).size() == 1) return {};
    return fail(ErrorKind::unsupported,
                fmt::format("'{}' has other readers than {}, which needs only a part of it", tensor, describe(reader)),
                "--parallelism", "Give each of its readers a copy");
  }

  [[nodiscard]] std::string describe(NodeId node) const { return model::describe_node(view_.node(node), node); }

  const GraphView& view_;
  std::vector<SplitWeight>& weights_;
};

class LayerFinder {
 public:
  explicit LayerFinder(const GraphView& view) : view_(view) {}

  // `plugin` is an AttentionPlugin.
  Expected<ParallelLayer> find_attention(NodeId plugin) const {
    const onnx::NodeProto& node = view_.node(plugin);
    // The cache of K and V follows Q, K and V. With the three of them in one tensor, there are six inputs.
    const bool is_stacked = node.input_size() == 6;
    if (node.input_size() < 4 || node.output_size() < 2) return fail(incomplete(plugin, "inputs or outputs"));
    const NodeId concat = find_above(view_, node.input(0), "Concat", 2);
    const onnx::NodeProto& start = concat == kNone ? node : view_.node(concat);
    if (start.input_size() < 3) return fail(incomplete(plugin, "inputs"));
    ParallelLayer layer{.attention = plugin, .past = node.input(is_stacked ? 1 : 3), .present = node.output(1)};
    layer.result = find_below(view_, node.output(0), "MatMul");
    const NodeId q = find_above(view_, start.input(0), "MatMul"), k = find_above(view_, start.input(1), "MatMul"),
                 v = find_above(view_, start.input(2), "MatMul");
    if (q == kNone || k == kNone || v == kNone) return fail(incomplete(plugin, "a MatMul above Q, K and V"));
    if (layer.result == kNone) return fail(incomplete(plugin, "a MatMul below it"));
    if (q == k || k == v || q == v) return fail(shared(q));
    WeightFinder weights(view_, layer.weights);
    for (const NodeId matmul : {q, k, v}) ASSAY_TRY(weights.split_columns(matmul));
    ASSAY_TRY(weights.split_rows(layer.result));
    return layer;
  }

  // Returns nothing if this Sigmoid isn't part of an MLP.
  Expected<std::optional<ParallelLayer>> find_mlp(NodeId sigmoid) const {
    const std::string& gated = view_.node(sigmoid).input(0);
    const NodeId silu = reader(view_.node(sigmoid).output(0), "Mul");
    if (silu == kNone || other_operand(silu, view_.node(sigmoid).output(0)) != gated) return std::nullopt;
    const std::string& activated = view_.node(silu).output(0);
    const NodeId product = reader(activated, "Mul");
    if (product == kNone) return std::nullopt;
    const NodeId gate = find_above(view_, gated, "MatMul");
    const NodeId up = find_above(view_, other_operand(product, activated), "MatMul");
    const NodeId down = find_below(view_, view_.node(product).output(0), "MatMul");
    if (gate == kNone || up == kNone || down == kNone) return std::nullopt;
    if (gate == up) return fail(shared(gate));
    ParallelLayer layer{.result = down};
    WeightFinder weights(view_, layer.weights);
    ASSAY_TRY(weights.split_columns(gate));
    ASSAY_TRY(weights.split_columns(up));
    ASSAY_TRY(weights.split_rows(down));
    return layer;
  }

 private:
  [[nodiscard]] NodeId reader(const std::string& tensor, std::string_view op) const {
    for (const NodeId node : view_.consumers(view_.find(tensor))) {
      if (view_.node(node).op_type() == op && has_operands(view_.node(node), 2)) return node;
    }
    return kNone;
  }

  // `node` has two inputs, one of which is `operand`. Returns the other one.
  [[nodiscard]] const std::string& other_operand(NodeId node, std::string_view operand) const {
    return view_.node(node).input(view_.node(node).input(0) == operand ? 1 : 0);
  }

  [[nodiscard]] base::Error incomplete(NodeId plugin, std::string_view what) const {
    return {.kind = ErrorKind::unsupported,
            .what = fmt::format("{} lacks {}", model::describe_node(view_.node(plugin), plugin), what),
            .where = "--parallelism",
            .fix = "Tensor parallelism splits the MatMuls around AttentionPlugin, as TensorRT Edge-LLM exports them"};
  }

  [[nodiscard]] base::Error shared(NodeId matmul) const {
    return {.kind = ErrorKind::unsupported,
            .what = fmt::format("{} computes several parts of a layer at once, so its columns can't be split in order",
                                model::describe_node(view_.node(matmul), matmul)),
            .where = "--parallelism",
            .fix = "Export the model with a MatMul for each of them"};
  }

  const GraphView& view_;
};

}  // namespace

Expected<std::vector<ParallelLayer>> find_parallel_layers(const GraphView& view) {
  const LayerFinder finder(view);
  std::vector<ParallelLayer> layers;
  for (NodeId node = 0; node < view.node_count(); ++node) {
    if (view.node(node).op_type() != "AttentionPlugin") continue;
    ASSAY_ASSIGN(ParallelLayer layer, finder.find_attention(node));
    layers.push_back(std::move(layer));
  }
  for (NodeId node = 0; node < view.node_count(); ++node) {
    if (view.node(node).op_type() != "Sigmoid" || !has_operands(view.node(node), 1)) continue;
    ASSAY_ASSIGN(std::optional<ParallelLayer> layer, finder.find_mlp(node));
    if (layer) layers.push_back(*std::move(layer));
  }
  return layers;
}

}  // namespace assay::shard
