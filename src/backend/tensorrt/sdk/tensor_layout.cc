// Both directions walk over the elements in row-major order and compute where each is stored.
#include "backend/tensorrt/sdk/tensor_layout.h"

#include <algorithm>
#include <limits>

namespace assay::backend {
namespace {

using nvinfer1::TensorFormat;

// The sizes before, at and after the channels.
struct Extents {
  std::int64_t outer = 1;
  std::int64_t channels = 1;
  std::int64_t inner = 1;
};

Extents extents_of(const TensorLayout& layout, const tensor::Shape& shape) {
  Extents extents;
  const std::size_t channel = shape.size() - layout.channel;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    (i < channel ? extents.outer : i == channel ? extents.channels : extents.inner) *= shape[i];
  }
  return extents;
}

// Calls move(position in row-major order, position in the layout) for each element.
template <class Move>
void for_each_element(const TensorLayout& layout, const tensor::Shape& shape, const Move& move) {
  const Extents extents = extents_of(layout, shape);
  const std::int64_t per_vector = layout.per_vector;
  const std::int64_t vectors = (extents.channels + per_vector - 1) / per_vector;
  std::int64_t from = 0;
  for (std::int64_t m = 0; m < extents.outer; ++m) {
    for (std::int64_t c = 0; c < extents.channels; ++c) {
      for (std::int64_t i = 0; i < extents.inner; ++i) {
        const std::int64_t to = layout.is_vector_major
                                    ? ((m * vectors + c / per_vector) * extents.inner + i) * per_vector + c % per_vector
                                    : (m * extents.inner + i) * vectors * per_vector + c;
        move(from++, to);
      }
    }
  }
}

void copy(std::span<const std::byte> from, std::int64_t at, std::byte* to, std::int64_t target, std::size_t size) {
  std::copy_n(from.data() + static_cast<std::size_t>(at) * size, size, to + static_cast<std::size_t>(target) * size);
}

}  // namespace

std::optional<TensorLayout> layout_of(TensorFormat format) {
  switch (format) {
    case TensorFormat::kLINEAR:
      return TensorLayout{};
    case TensorFormat::kCHW2:
      return TensorLayout{.channel = 3, .per_vector = 2, .is_vector_major = true};
    case TensorFormat::kCHW4:
      return TensorLayout{.channel = 3, .per_vector = 4, .is_vector_major = true};
    case TensorFormat::kCHW16:
      return TensorLayout{.channel = 3, .per_vector = 16, .is_vector_major = true};
    case TensorFormat::kCHW32:
      return TensorLayout{.channel = 3, .per_vector = 32, .is_vector_major = true};
    case TensorFormat::kCDHW32:
      return TensorLayout{.channel = 4, .per_vector = 32, .is_vector_major = true};
    case TensorFormat::kHWC:
      return TensorLayout{.channel = 3};
    case TensorFormat::kHWC8:
      return TensorLayout{.channel = 3, .per_vector = 8};
    case TensorFormat::kHWC16:
      return TensorLayout{.channel = 3, .per_vector = 16};
    case TensorFormat::kDHWC:
      return TensorLayout{.channel = 4};
    case TensorFormat::kDHWC8:
      return TensorLayout{.channel = 4, .per_vector = 8};
    default:
      return std::nullopt;
  }
}

std::optional<std::uint64_t> stored_elements(const TensorLayout& layout, const tensor::Shape& shape) {
  if (layout.is_row_major()) return tensor::element_count(shape);
  if (shape.size() < layout.channel) return std::nullopt;
  tensor::Shape padded = shape;
  std::int64_t& channels = padded[padded.size() - layout.channel];
  if (channels > std::numeric_limits<std::int64_t>::max() - layout.per_vector) return std::nullopt;
  channels = (channels + layout.per_vector - 1) / layout.per_vector * layout.per_vector;
  return tensor::element_count(padded);
}

std::vector<std::byte> to_stored(std::span<const std::byte> bytes, const tensor::Shape& shape, std::size_t size,
                                 const TensorLayout& layout) {
  std::vector<std::byte> stored(static_cast<std::size_t>(stored_elements(layout, shape).value_or(0)) * size);
  for_each_element(layout, shape,
                   [&](std::int64_t from, std::int64_t to) { copy(bytes, from, stored.data(), to, size); });
  return stored;
}

std::vector<std::byte> from_stored(std::span<const std::byte> stored, const tensor::Shape& shape, std::size_t size,
                                   const TensorLayout& layout) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(tensor::element_count(shape).value_or(0)) * size);
  for_each_element(layout, shape,
                   [&](std::int64_t from, std::int64_t to) { copy(stored, to, bytes.data(), from, size); });
  return bytes;
}

}  // namespace assay::backend
