// Both directions walk over the elements in row-major order and compute where each is stored.
#include "backend/tensorrt/sdk/tensor_layout.h"

#include <algorithm>
#include <limits>

namespace assay::backend {
namespace {

using nvinfer1::TensorFormat;

std::int64_t round_up(std::int64_t number, std::int64_t step) {
  return (number + step - 1) / step * step;
}

// How a tensor is stored: [outer][vectors][rows][pitch] if it is vector-major, else [outer][rows][pitch]. A pitch
// consists of [width] vectors of V elements, or of [width] times all vectors, and padding.
struct Extents {
  std::int64_t outer = 1;
  std::int64_t channels = 1;
  std::int64_t rows = 1;
  std::int64_t width = 1;
  std::int64_t per_vector = 1;
  std::int64_t vectors = 1;
  std::int64_t pitch = 1;
};

// The shape must have the dimensions that the layout needs.
Extents extents_of(const TensorLayout& layout, const tensor::Shape& shape, std::size_t size) {
  Extents extents;
  const std::size_t channel = layout.channel == 0 ? 0 : shape.size() - layout.channel;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i < channel) {
      extents.outer *= shape[i];
    } else if (layout.channel > 0 && i == channel) {
      extents.channels *= shape[i];
    } else {
      (i + 1 < shape.size() ? extents.rows : extents.width) *= shape[i];
    }
  }
  extents.per_vector = layout.is_image && extents.channels == 1 ? 1 : layout.per_vector;
  extents.vectors = round_up(extents.channels, extents.per_vector) / extents.per_vector;
  extents.pitch = extents.width * extents.per_vector * (layout.is_vector_major ? 1 : extents.vectors);
  extents.pitch = std::max(extents.pitch, layout.row_vectors * extents.per_vector);
  if (layout.row_bytes > 0) {
    extents.pitch =
        round_up(extents.pitch, std::max<std::int64_t>(layout.row_bytes / static_cast<std::int64_t>(size), 1));
  }
  return extents;
}

// Calls move(position in row-major order, position in the layout) for each element.
template <class Move>
void for_each_element(const TensorLayout& layout, const tensor::Shape& shape, std::size_t size, const Move& move) {
  const Extents e = extents_of(layout, shape, size);
  const std::int64_t per_position = e.per_vector * (layout.is_vector_major ? 1 : e.vectors);
  std::int64_t from = 0;
  for (std::int64_t m = 0; m < e.outer; ++m) {
    for (std::int64_t c = 0; c < e.channels; ++c) {
      const std::int64_t plane = layout.is_vector_major ? m * e.vectors + c / e.per_vector : m;
      const std::int64_t within = layout.is_vector_major ? c % e.per_vector : c;
      for (std::int64_t row = 0; row < e.rows; ++row) {
        for (std::int64_t w = 0; w < e.width; ++w) {
          move(from++, (plane * e.rows + row) * e.pitch + w * per_position + within);
        }
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
    case TensorFormat::kDLA_LINEAR:
      return TensorLayout{.is_vector_major = true, .row_bytes = 64};
    case TensorFormat::kDLA_HWC4:
      return TensorLayout{.channel = 3, .per_vector = 4, .row_bytes = 64, .is_image = true};
    default:
      return std::nullopt;
  }
}

std::optional<std::uint64_t> stored_elements(const TensorLayout& layout, const tensor::Shape& shape, std::size_t size) {
  const auto count = tensor::element_count(shape);
  if (!count || layout.is_row_major() || *count == 0) return shape.size() < layout.channel ? std::nullopt : count;
  constexpr std::uint64_t kMostPadding = 1024;  // elements that are stored for one
  if (shape.size() < std::max<std::size_t>(layout.channel, 1)) return std::nullopt;
  if (*count > std::numeric_limits<std::int64_t>::max() / kMostPadding) return std::nullopt;
  const Extents e = extents_of(layout, shape, size);
  if (layout.is_image && e.channels != 1 && e.channels != 3 && e.channels != 4) return std::nullopt;
  return tensor::element_count({e.outer, layout.is_vector_major ? e.vectors : 1, e.rows, e.pitch});
}

std::vector<std::byte> to_stored(std::span<const std::byte> bytes, const tensor::Shape& shape, std::size_t size,
                                 const TensorLayout& layout) {
  std::vector<std::byte> stored(static_cast<std::size_t>(stored_elements(layout, shape, size).value_or(0)) * size);
  for_each_element(layout, shape, size,
                   [&](std::int64_t from, std::int64_t to) { copy(bytes, from, stored.data(), to, size); });
  return stored;
}

std::vector<std::byte> from_stored(std::span<const std::byte> stored, const tensor::Shape& shape, std::size_t size,
                                   const TensorLayout& layout) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(tensor::element_count(shape).value_or(0)) * size);
  for_each_element(layout, shape, size,
                   [&](std::int64_t from, std::int64_t to) { copy(stored, to, bytes.data(), from, size); });
  return bytes;
}

}  // namespace assay::backend
