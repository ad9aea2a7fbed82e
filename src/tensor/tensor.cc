#include "tensor/tensor.h"

#include <fmt/format.h>

#include <algorithm>

namespace assay::tensor {

using base::ErrorKind;
using base::fail;

std::optional<std::uint64_t> element_count(const Shape& shape) {
  std::uint64_t count = 1;
  bool overflow = false;
  bool zero = false;
  for (const std::int64_t dim : shape) {
    if (dim < 0) return std::nullopt;
    zero |= dim == 0;
    overflow |= __builtin_mul_overflow(count, static_cast<std::uint64_t>(dim), &count);
  }
  if (zero) return 0;
  return overflow ? std::nullopt : std::optional(count);
}

std::uint64_t declared_bytes(ElementType type, const Shape& shape) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 40;
  constexpr std::uint64_t kUnknownElement = 8;
  constexpr std::uint64_t kString = 64;
  const auto count = element_count(shape);
  if (!count || *count > kMost) return kMost;
  std::optional<std::size_t> bytes = *count * kUnknownElement;
  if (type == ElementType::string) bytes = *count * kString;
  if (type != ElementType::string && type != ElementType::undefined) bytes = byte_size(type, *count);
  return std::min<std::uint64_t>(bytes.value_or(kMost), kMost);
}

std::string format_shape(const Shape& shape) {
  return shape.size() == 1 ? fmt::format("({},)", shape[0]) : fmt::format("({})", fmt::join(shape, ", "));
}

Buffer Buffer::own(std::vector<std::byte> bytes) {
  auto owner = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  return {*owner, owner};
}

Buffer Buffer::own(std::string bytes) {
  auto owner = std::make_shared<const std::string>(std::move(bytes));
  return {std::as_bytes(std::span(*owner)), owner};
}

base::Expected<Tensor> Tensor::make(ElementType type, Shape shape, Buffer data) {
  const auto count = element_count(shape);
  const auto bytes = count ? byte_size(type, *count) : std::nullopt;
  if (!bytes) {
    return fail(ErrorKind::invalid_input,
                fmt::format("a {} tensor cannot have the shape {}", name(type), format_shape(shape)));
  }
  if (data.bytes().size() != *bytes) {
    return fail(ErrorKind::invalid_input, fmt::format("a {} tensor of shape {} needs {} bytes, but has {}", name(type),
                                                      format_shape(shape), *bytes, data.bytes().size()));
  }
  Tensor tensor;
  tensor.type_ = type;
  tensor.shape_ = std::move(shape);
  tensor.size_ = *count;
  tensor.data_ = std::move(data);
  return tensor;
}

base::Expected<Tensor> Tensor::make_strings(Shape shape, std::vector<std::string> values) {
  const auto count = element_count(shape);
  if (!count || *count != values.size()) {
    return fail(ErrorKind::invalid_input,
                fmt::format("a string tensor of shape {} cannot have {} values", format_shape(shape), values.size()));
  }
  Tensor tensor;
  tensor.type_ = ElementType::string;
  tensor.shape_ = std::move(shape);
  tensor.size_ = *count;
  tensor.strings_ = std::make_shared<const std::vector<std::string>>(std::move(values));
  return tensor;
}

const std::vector<std::string>& Tensor::strings() const {
  static const std::vector<std::string> none;
  return strings_ ? *strings_ : none;
}

std::string Tensor::describe() const {
  return fmt::format("{}, shape={}", name(type_), format_shape(shape_));
}

bool identical(const Tensor& a, const Tensor& b) {
  return a.type() == b.type() && a.shape() == b.shape() && std::ranges::equal(a.bytes(), b.bytes()) &&
         a.strings() == b.strings();
}

void NamedTensors::set(std::string name, Tensor tensor) {
  const auto [at, is_new] = index_.try_emplace(name, items_.size());
  if (is_new) {
    items_.emplace_back(std::move(name), std::move(tensor));
  } else {
    items_[at->second].second = std::move(tensor);
  }
}

const Tensor* NamedTensors::find(std::string_view name) const {
  const auto at = index_.find(name);
  return at != index_.end() ? &items_[at->second].second : nullptr;
}

std::vector<std::string> NamedTensors::names() const {
  std::vector<std::string> names;
  for (const Item& item : items_) names.push_back(item.first);
  return names;
}

}  // namespace assay::tensor
