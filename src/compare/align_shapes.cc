#include "compare/align_shapes.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace assay::compare {
namespace {

using tensor::Shape;
using tensor::Tensor;

// Returns, for each axis of `to`, the axis of `from` that becomes it; empty if the dimensions differ.
std::vector<std::size_t> permutation(const Shape& from, const Shape& to) {
  if (from.size() != to.size() || !std::ranges::is_permutation(from, to)) return {};
  std::vector<std::size_t> axes;
  std::vector<bool> used(from.size());
  for (const std::int64_t extent : to) {
    std::size_t axis = 0;
    while (used[axis] || from[axis] != extent) ++axis;
    used[axis] = true;
    axes.push_back(axis);
  }
  return axes;
}

// Calls visit(i, source) for each element i of the permuted tensor, in order; `source` is its position in the original.
template <class Visit>
void for_each_source(const Shape& from, const Shape& to, const std::vector<std::size_t>& axes, const Visit& visit) {
  std::vector<std::uint64_t> strides(from.size(), 1);
  for (std::size_t axis = from.size(); axis-- > 1;) {
    strides[axis - 1] = strides[axis] * static_cast<std::uint64_t>(from[axis]);
  }
  std::vector<std::int64_t> index(to.size(), 0);
  const std::uint64_t count = tensor::element_count(to).value_or(0);
  std::uint64_t source = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    visit(i, source);
    for (std::size_t axis = to.size(); axis-- > 0;) {
      source += strides[axes[axis]];
      if (++index[axis] < to[axis]) break;
      source -= strides[axes[axis]] * static_cast<std::uint64_t>(to[axis]);
      index[axis] = 0;
    }
  }
}

std::optional<Tensor> permute(const Tensor& tensor, const Shape& shape, const std::vector<std::size_t>& axes) {
  if (tensor.type() == tensor::ElementType::string) {
    std::vector<std::string> values(tensor.size());
    for_each_source(tensor.shape(), shape, axes, [&](auto to, auto from) { values[to] = tensor.strings()[from]; });
    return Tensor::make_strings(shape, std::move(values)).value();
  }
  const std::size_t bits = tensor::info(tensor.type()).bits;
  if (bits % 8 != 0) return std::nullopt;  // packed elements
  const std::size_t bytes = bits / 8;
  std::vector<std::byte> data(tensor.bytes().size());
  for_each_source(tensor.shape(), shape, axes, [&](auto to, auto from) {
    std::memcpy(data.data() + to * bytes, tensor.bytes().data() + from * bytes, bytes);
  });
  return Tensor::make(tensor.type(), shape, tensor::Buffer::own(std::move(data))).value();
}

}  // namespace

std::optional<Tensor> align_to(const Tensor& tensor, const Shape& shape) {
  if (tensor.shape() == shape) return tensor;
  if (const auto axes = permutation(tensor.shape(), shape); !axes.empty()) {
    if (auto permuted = permute(tensor, shape, axes)) return permuted;
  }
  if (tensor::element_count(shape) != tensor.size()) return std::nullopt;
  auto reshaped = tensor.type() == tensor::ElementType::string ? Tensor::make_strings(shape, tensor.strings())
                                                               : Tensor::make(tensor.type(), shape, tensor.buffer());
  return reshaped ? std::optional(*std::move(reshaped)) : std::nullopt;
}

}  // namespace assay::compare
