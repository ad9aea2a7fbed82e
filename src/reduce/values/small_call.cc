#include "reduce/values/small_call.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "tensor/convert.h"

namespace assay::reduce::small {

bool is_whole(ElementType type) {
  const tensor::ElementKind kind = tensor::info(type).kind;
  return (kind == tensor::ElementKind::signed_integer || kind == tensor::ElementKind::unsigned_integer ||
          kind == tensor::ElementKind::boolean) &&
         type != ElementType::uint64;
}

Result read(const tensor::Tensor& value) {
  if (!is_whole(value.type()) || value.size() > kSmallElements) return std::nullopt;
  Values values{.type = value.type(), .shape = value.shape(), .data = std::vector<std::int64_t>(value.size())};
  tensor::read_integers(value, 0, values.data);
  return values;
}

std::optional<tensor::Tensor> write(const Values& values) {
  if (values.data.size() > kSmallElements || tensor::element_count(values.shape) != values.data.size()) {
    return std::nullopt;
  }
  auto cast =
      tensor::cast(tensor::Tensor::of<std::int64_t>(ElementType::int64, values.shape, values.data), values.type);
  return cast ? std::optional(*std::move(cast)) : std::nullopt;
}

std::optional<std::size_t> axis_of(std::int64_t axis, std::size_t rank) {
  const auto size = static_cast<std::int64_t>(rank);
  if (axis < -size || axis >= size) return std::nullopt;
  return static_cast<std::size_t>(axis < 0 ? axis + size : axis);
}

std::int64_t product(std::span<const std::int64_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>());
}

std::optional<std::vector<std::size_t>> broadcast(const Shape& shape, const Shape& to) {
  std::vector<std::int64_t> steps(to.size(), 0);
  std::int64_t step = 1;
  const std::size_t missing = to.size() - shape.size();
  for (std::size_t i = to.size(); i-- > missing;) {
    const std::int64_t size = shape[i - missing];
    if (size != to[i] && size != 1) return std::nullopt;
    steps[i] = size == 1 ? 0 : step;
    step *= size;
  }
  const auto count = tensor::element_count(to);
  if (!count || *count > kSmallElements) return std::nullopt;
  std::vector<std::size_t> positions(*count);
  for (std::size_t at = 0; at < positions.size(); ++at) {
    std::size_t rest = at;
    for (std::size_t i = to.size(); i-- > 0;) {
      const auto size = static_cast<std::size_t>(to[i]);
      positions[at] += rest % size * static_cast<std::size_t>(steps[i]);
      rest /= size;
    }
  }
  return positions;
}

std::optional<Shape> common_shape(const Shape& a, const Shape& b) {
  Shape shape(std::max(a.size(), b.size()), 1);
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::int64_t left = i < a.size() ? a[a.size() - 1 - i] : 1;
    const std::int64_t right = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (left != right && left != 1 && right != 1) return std::nullopt;
    shape[shape.size() - 1 - i] = left == 1 ? right : left;
  }
  return shape;
}

}  // namespace assay::reduce::small
