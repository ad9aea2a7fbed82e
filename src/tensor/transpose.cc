// Walks the result in its own order and moves the position in the source by the permuted strides. Packed elements are
// unpacked first and packed again at the end.
#include "tensor/transpose.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "tensor/packed.h"

namespace assay::tensor {
namespace {

using base::ErrorKind;
using base::fail;

// Calls `copy` for each element of the result, in order, with its position in the source.
template <class Copy>
void walk(const Shape& shape, const std::vector<std::size_t>& strides, Copy&& copy) {
  const std::uint64_t count = element_count(shape).value_or(0);
  std::vector<std::int64_t> index(shape.size());
  std::size_t from = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    copy(from);
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      from += strides[axis];
      if (++index[axis] < shape[axis]) break;
      from -= strides[axis] * static_cast<std::size_t>(shape[axis]);
      index[axis] = 0;
    }
  }
}

}  // namespace

base::Expected<Tensor> transpose(const Tensor& tensor, const std::vector<std::size_t>& axes) {
  const std::size_t rank = tensor.shape().size();
  std::vector<bool> seen(rank);
  for (const std::size_t axis : axes) {
    if (axis < rank) seen[axis] = true;
  }
  if (axes.size() != rank || std::ranges::count(seen, true) != static_cast<std::ptrdiff_t>(rank)) {
    return fail(ErrorKind::invalid_input, fmt::format("({}) is not a permutation of the axes of a tensor of shape {}",
                                                      fmt::join(axes, ", "), format_shape(tensor.shape())));
  }
  std::vector<std::size_t> source_strides(rank);
  std::size_t stride = 1;
  for (std::size_t axis = rank; axis-- > 0;) {
    source_strides[axis] = stride;
    stride *= static_cast<std::size_t>(tensor.shape()[axis]);
  }
  Shape shape;
  std::vector<std::size_t> strides;
  for (const std::size_t axis : axes) {
    shape.push_back(tensor.shape()[axis]);
    strides.push_back(source_strides[axis]);
  }
  if (tensor.type() == ElementType::string) {
    std::vector<std::string> values;
    walk(shape, strides, [&](std::size_t from) { values.push_back(tensor.strings()[from]); });
    return Tensor::make_strings(std::move(shape), std::move(values));
  }
  const std::size_t bits = info(tensor.type()).bits;
  const std::size_t item = std::max<std::size_t>(1, bits / 8);
  const std::vector<std::byte> codes =
      bits < 8 ? unpack(tensor.bytes(), tensor.size(), bits) : std::vector<std::byte>();
  const std::span<const std::byte> source = bits < 8 ? std::span<const std::byte>(codes) : tensor.bytes();
  std::vector<std::byte> result(source.size());
  std::size_t to = 0;
  walk(shape, strides, [&](std::size_t from) {
    std::memcpy(result.data() + to, source.data() + from * item, item);
    to += item;
  });
  return Tensor::make(tensor.type(), std::move(shape), Buffer::own(bits < 8 ? pack(result, bits) : std::move(result)));
}

base::Expected<Tensor> reshape(const Tensor& tensor, Shape shape) {
  if (tensor.type() == ElementType::string) return Tensor::make_strings(std::move(shape), tensor.strings());
  return Tensor::make(tensor.type(), std::move(shape), tensor.buffer());
}

}  // namespace assay::tensor
