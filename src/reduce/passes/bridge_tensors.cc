// Values should survive: if a failure depends on how large the values are that reach the second culprit, zeros would
// hide it. So Reshape is tried first, which keeps all values, then Expand and Slice, which invent none, then Pad. No
// single operator connects tensors that differ in both rank and element count; for those, the largest value is kept.
#include "reduce/passes/bridge_tensors.h"

#include <onnx/defs/attr_proto_util.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "model/operator_schema.h"

namespace assay::reduce {
namespace {

using Dimension = onnx::TensorShapeProto::Dimension;
using Numbers = std::vector<std::int64_t>;

constexpr int kReshapeTakesShape = 5;
constexpr int kFirstExpand = 8;
constexpr int kSliceTakesInputs = 10;
constexpr int kPadTakesInputs = 11;

bool same_symbol(const Dimension& a, const Dimension& b) {
  return !a.has_dim_value() && !b.has_dim_value() && !a.dim_param().empty() && a.dim_param() == b.dim_param();
}

class Bridging {
 public:
  Bridging(const onnx::ValueInfoProto& from, const onnx::ValueInfoProto& to, int opset, FreshNames& names)
      : from_(from),
        to_(to),
        before_(from.type().tensor_type().shape()),
        after_(to.type().tensor_type().shape()),
        opset_(opset),
        names_(names) {}

  std::optional<Bridge> run() {
    if (same_type(from_, to_)) return Bridge{};
    if (!comparable()) return std::nullopt;
    if (reshape() || (same_rank() && (expand() || slice() || pad())) || reduce_and_expand()) return std::move(bridge_);
    return std::nullopt;
  }

 private:
  [[nodiscard]] bool same_rank() const { return before_.dim_size() == after_.dim_size(); }
  [[nodiscard]] bool kept(int axis) const {
    return axis < before_.dim_size() && same_symbol(before_.dim(axis), after_.dim(axis));
  }

  // Returns whether the element types are the same, and each size is known or stays what it is.
  [[nodiscard]] bool comparable() const {
    if (!has_shape(from_) || !has_shape(to_)) return false;
    if (from_.type().tensor_type().elem_type() != to_.type().tensor_type().elem_type()) return false;
    for (int axis = 0; axis < std::max(before_.dim_size(), after_.dim_size()); ++axis) {
      const bool both = axis < before_.dim_size() && axis < after_.dim_size();
      if (both && same_symbol(before_.dim(axis), after_.dim(axis))) continue;
      if (axis < before_.dim_size() && !before_.dim(axis).has_dim_value()) return false;
      if (axis < after_.dim_size() && !after_.dim(axis).has_dim_value()) return false;
    }
    return true;
  }

  // Returns whether the operator takes tensors of this element type in this version of ONNX.
  [[nodiscard]] bool takes_type(const char* op_type) const {
    const onnx::OpSchema* schema = onnx::OpSchemaRegistry::Schema(op_type, opset_, "");
    const auto* formal = schema != nullptr ? model::formal_input(*schema, 0) : nullptr;
    onnx::TypeProto type;
    type.mutable_tensor_type()->set_elem_type(from_.type().tensor_type().elem_type());
    return formal != nullptr && formal->GetTypes().contains(onnx::Utils::DataTypeUtils::ToType(type));
  }

  [[nodiscard]] std::int64_t count(const onnx::TensorShapeProto& shape) const {
    std::int64_t result = 1;
    for (const Dimension& size : shape.dim()) result *= size.has_dim_value() ? size.dim_value() : 1;
    return result;
  }

  bool reshape() {
    if (opset_ < kReshapeTakesShape || count(before_) != count(after_) || !takes_type("Reshape")) return false;
    Numbers shape;
    for (int axis = 0; axis < after_.dim_size(); ++axis) shape.push_back(kept(axis) ? 0 : after_.dim(axis).dim_value());
    // Reshape copies a size from its input if it is given as 0, so it can't produce a size of 0.
    const auto copied = std::ranges::count(shape, 0);
    int symbols = 0;
    for (const Dimension& size : before_.dim()) symbols += size.has_dim_value() ? 0 : 1;
    if (copied != symbols) return false;
    add_node("Reshape", {from_.name(), constant("shape", shape)}, to_.name());
    return true;
  }

  bool expand() {
    Numbers shape;
    for (int axis = 0; axis < after_.dim_size(); ++axis) {
      const bool same = kept(axis) || before_.dim(axis).dim_value() == after_.dim(axis).dim_value();
      if (!same && before_.dim(axis).dim_value() != 1) return false;
      shape.push_back(kept(axis) ? 1 : after_.dim(axis).dim_value());
    }
    return add_expand(from_.name(), shape);
  }

  bool add_expand(const std::string& input, const Numbers& shape) {
    if (opset_ < kFirstExpand || !takes_type("Expand")) return false;
    add_node("Expand", {input, constant("shape", shape)}, to_.name());
    return true;
  }

  bool slice() {
    if (!takes_type("Slice")) return false;
    Numbers axes, starts, ends;
    for (int axis = 0; axis < after_.dim_size(); ++axis) {
      if (kept(axis) || before_.dim(axis).dim_value() == after_.dim(axis).dim_value()) continue;
      if (before_.dim(axis).dim_value() < after_.dim(axis).dim_value()) return false;
      axes.push_back(axis);
      starts.push_back(0);
      ends.push_back(after_.dim(axis).dim_value());
    }
    if (opset_ >= kSliceTakesInputs) {
      add_node("Slice", {from_.name(), constant("starts", starts), constant("ends", ends), constant("axes", axes)},
               to_.name());
    } else {
      onnx::NodeProto& node = add_node("Slice", {from_.name()}, to_.name());
      *node.add_attribute() = onnx::MakeAttribute("starts", starts);
      *node.add_attribute() = onnx::MakeAttribute("ends", ends);
      *node.add_attribute() = onnx::MakeAttribute("axes", axes);
    }
    return true;
  }

  // A negative number of elements to add removes elements.
  bool pad() {
    if (opset_ < kPadTakesInputs || !takes_type("Pad")) return false;
    Numbers pads(static_cast<std::size_t>(after_.dim_size()), 0);
    for (int axis = 0; axis < after_.dim_size(); ++axis) {
      pads.push_back(kept(axis) ? 0 : after_.dim(axis).dim_value() - before_.dim(axis).dim_value());
    }
    add_node("Pad", {from_.name(), constant("pads", pads)}, to_.name());
    return true;
  }

  // An empty tensor has no largest value.
  bool reduce_and_expand() {
    if (count(before_) == 0 || !takes_type("ReduceMax")) return false;
    Numbers shape;
    for (const Dimension& size : before_.dim()) {
      if (!size.has_dim_value()) return false;
    }
    for (const Dimension& size : after_.dim()) shape.push_back(size.dim_value());
    if (opset_ < kFirstExpand || !takes_type("Expand")) return false;
    const std::string largest = names_.make(to_.name() + "_largest");
    *add_node("ReduceMax", {from_.name()}, largest).add_attribute() = onnx::MakeAttribute("keepdims", 0);
    return add_expand(largest, shape);
  }

  onnx::NodeProto& add_node(const std::string& type, const std::vector<std::string>& inputs,
                            const std::string& output) {
    onnx::NodeProto& node = bridge_.nodes.emplace_back();
    node.set_op_type(type);
    for (const std::string& input : inputs) node.add_input(input);
    node.add_output(output);
    return node;
  }

  std::string constant(const std::string& what, const Numbers& numbers) {
    onnx::TensorProto& tensor = bridge_.constants.emplace_back();
    tensor.set_name(names_.make(to_.name() + "_" + what));
    tensor.set_data_type(onnx::TensorProto::INT64);
    tensor.add_dims(std::ssize(numbers));
    for (const std::int64_t number : numbers) tensor.add_int64_data(number);
    return tensor.name();
  }

  const onnx::ValueInfoProto& from_;
  const onnx::ValueInfoProto& to_;
  const onnx::TensorShapeProto& before_;
  const onnx::TensorShapeProto& after_;
  int opset_;
  FreshNames& names_;
  Bridge bridge_;
};

}  // namespace

std::optional<Bridge> bridge_tensors(const onnx::ValueInfoProto& from, const onnx::ValueInfoProto& to, int opset,
                                     FreshNames& names) {
  return Bridging(from, to, opset, names).run();
}

}  // namespace assay::reduce
