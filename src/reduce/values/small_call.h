// The operands of evaluate_small's operators. Only the files of evaluate_small include this.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "reduce/values/evaluate_small.h"
#include "tensor/tensor.h"

namespace assay::reduce::small {

using tensor::ElementType;
using tensor::Shape;

struct Values {
  ElementType type = ElementType::int64;
  Shape shape;
  std::vector<std::int64_t> data;
};
using Result = std::optional<Values>;

// Returns whether values of the type can be computed: integers of all types except uint64, and booleans.
bool is_whole(ElementType type);
Result read(const tensor::Tensor& value);
// Returns nothing if the number of values doesn't fit the shape.
std::optional<tensor::Tensor> write(const Values& values);

class Call {
 public:
  Call(const onnx::NodeProto& node, const std::vector<SmallInput>& inputs) : node_(node), inputs_(inputs) {}

  [[nodiscard]] const onnx::NodeProto& node() const { return node_; }
  [[nodiscard]] std::size_t count() const { return inputs_.size(); }
  [[nodiscard]] bool has(std::size_t i) const {
    return i < inputs_.size() && !node_.input(static_cast<int>(i)).empty();
  }
  [[nodiscard]] Result value(std::size_t i) const {
    return has(i) && inputs_[i].value ? read(*inputs_[i].value) : std::nullopt;
  }
  [[nodiscard]] std::optional<Shape> shape(std::size_t i) const {
    if (!has(i)) return std::nullopt;
    return inputs_[i].value ? std::optional(inputs_[i].value->shape()) : inputs_[i].shape;
  }
  [[nodiscard]] const onnx::AttributeProto* attribute(std::string_view name) const {
    const auto found = std::ranges::find(node_.attribute(), name, &onnx::AttributeProto::name);
    return found == node_.attribute().end() ? nullptr : &*found;
  }
  [[nodiscard]] std::int64_t number(std::string_view name, std::int64_t otherwise) const {
    const onnx::AttributeProto* found = attribute(name);
    return found != nullptr ? found->i() : otherwise;
  }
  // Sets `numbers` from the attribute or, if there is none, from the input; leaves it empty if neither is given.
  // Returns false if the input is given but its value is unknown.
  bool numbers(std::string_view name, std::size_t input, std::optional<std::vector<std::int64_t>>& numbers) const {
    if (const onnx::AttributeProto* found = attribute(name)) {
      numbers.emplace(found->ints().begin(), found->ints().end());
      return true;
    }
    if (!has(input)) return true;
    const Result values = value(input);
    if (values) numbers = values->data;
    return values.has_value();
  }

 private:
  const onnx::NodeProto& node_;
  const std::vector<SmallInput>& inputs_;
};

struct Operator {
  std::string_view name;
  Result (*evaluate)(const Call& call);
};
// Returns the operators that do arithmetic; evaluate_small.cc has those that only move elements.
std::span<const Operator> arithmetic();

// Returns the index of an axis, which counts from the end if it is negative, or nothing if it is out of range.
std::optional<std::size_t> axis_of(std::int64_t axis, std::size_t rank);
std::int64_t product(std::span<const std::int64_t> sizes);
// Returns for each element of a tensor of shape `to` the index of its source in a tensor of `shape`, which has no more
// dimensions. Returns nothing if the shapes can't be broadcast.
std::optional<std::vector<std::size_t>> broadcast(const Shape& shape, const Shape& to);
std::optional<Shape> common_shape(const Shape& a, const Shape& b);

}  // namespace assay::reduce::small
