// The rank of an operand is unknown until its initializer is found, so the axis of a MatMul is counted from the end on
// the way there. A Transpose says the rank by the length of its attribute `perm`.
#include "model/weights/multiplied_weights.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "model/attributes.h"

namespace assay::model {
namespace {

constexpr std::array<std::string_view, 5> kKeepAxes = {"Cast", "QuantizeLinear", "DequantizeLinear",
                                                       "TRT_FP8QuantizeLinear", "TRT_FP8DequantizeLinear"};

bool is_set(const onnx::NodeProto& node, std::string_view name) {
  return int_attribute(node, name, 0) != 0;
}

// Returns the axis of a Transpose's input that becomes `axis` of its output; nullopt if it doesn't say.
std::optional<int> before_transpose(const onnx::NodeProto& node, int axis) {
  const onnx::AttributeProto* perm = find_attribute(node, "perm");
  if (perm == nullptr) return std::nullopt;
  const int from_start = axis < 0 ? axis + perm->ints_size() : axis;
  if (from_start < 0 || from_start >= perm->ints_size()) return std::nullopt;
  return static_cast<int>(perm->ints(from_start));
}

class Finder {
 public:
  explicit Finder(const GraphView& view) : view_(view) {
    for (const onnx::NodeProto& node : view_.graph().node()) {
      if (node.op_type() == "Conv" && node.input_size() > 1) {
        trace(node.input(1), 1);
      } else if (node.op_type() == "MatMul" && node.input_size() > 1) {
        trace(node.input(0), -1);
        trace(node.input(1), -2);
      } else if (node.op_type() == "Gemm" && node.input_size() > 1) {
        trace(node.input(0), is_set(node, "transA") ? 0 : 1);
        trace(node.input(1), is_set(node, "transB") ? 1 : 0);
      }
    }
  }

  std::vector<MultipliedWeight> dense;
  std::vector<MultipliedSparseWeight> sparse;

 private:
  // Follows an operand to its initializer. A negative axis counts from the end. The number of steps is limited because
  // an invalid model may have a cycle.
  void trace(const std::string& operand, int axis) {
    TensorId tensor = view_.find(operand);
    for (int step = 0; tensor != kNone && step <= view_.node_count(); ++step) {
      if (const onnx::TensorProto* weight = view_.initializer(tensor)) return add(dense, *weight, axis);
      if (view_.is_initializer(tensor)) return add_sparse(view_.name(tensor), axis);
      const NodeId producer = view_.producer(tensor);
      if (producer == kNone || view_.node(producer).input_size() == 0) return;
      const onnx::NodeProto& node = view_.node(producer);
      if (node.op_type() == "Transpose") {
        const std::optional<int> before = before_transpose(node, axis);
        if (!before) return;
        axis = *before;
      } else if (std::ranges::find(kKeepAxes, node.op_type()) == kKeepAxes.end()) {
        return;
      }
      tensor = view_.find(node.input(0));
    }
  }

  void add_sparse(std::string_view name, int axis) {
    for (const onnx::SparseTensorProto& weight : view_.graph().sparse_initializer()) {
      if (weight.values().name() == name) return add(sparse, weight, axis);
    }
  }

  template <class Found, class Weight>
  static void add(std::vector<Found>& found, const Weight& weight, int axis) {
    // A vector as an operand of MatMul has one axis only.
    if (axis < 0) axis = std::max(0, axis + weight.dims_size());
    if (axis >= weight.dims_size()) return;
    const bool known =
        std::ranges::any_of(found, [&](const Found& other) { return other.weight == &weight && other.axis == axis; });
    if (!known) found.push_back({&weight, axis});
  }

  const GraphView& view_;
};

}  // namespace

std::vector<MultipliedWeight> find_multiplied_weights(const GraphView& view) {
  return Finder(view).dense;
}

std::vector<MultipliedSparseWeight> find_multiplied_sparse_weights(const GraphView& view) {
  return Finder(view).sparse;
}

}  // namespace assay::model
