#include "compare/align_shapes.h"

#include <algorithm>
#include <vector>

#include "tensor/transpose.h"

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

}  // namespace

std::optional<Tensor> align_to(const Tensor& tensor, const Shape& shape) {
  if (tensor.shape() == shape) return tensor;
  const std::vector<std::size_t> axes = permutation(tensor.shape(), shape);
  auto aligned = axes.empty() ? tensor::reshape(tensor, shape) : tensor::transpose(tensor, axes);
  return aligned ? std::optional(*std::move(aligned)) : std::nullopt;
}

}  // namespace assay::compare
