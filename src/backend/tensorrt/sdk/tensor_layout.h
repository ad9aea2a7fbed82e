// The order in which TensorRT stores an input or output of the engine. Our tensors are row-major. With
// --tensor-formats, those of TensorRT may have their channels last, or in vectors of a fixed length that is padded.
// Rows may be padded, too, for NVIDIA's DLA: by a fixed rule in its own formats, and by a rule that depends on the
// device in vectors of channels, for which only TensorRT knows the length of a row.
#pragma once

#include <NvInferRuntime.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tensor/tensor.h"

namespace assay::backend {

// Source: nvinfer1::TensorFormat. With V channels in a vector, a tensor [M][C][I] is stored as [M][ceil(C/V)][I][V] if
// the format is vector-major, or as [M][I][ceil(C/V)*V] if it is vector-minor.
struct TensorLayout {
  std::size_t channel = 0;  // position of the channels, counted from the end: 3 for [.., C, H, W]; 0: there are none
  std::int64_t per_vector = 1;  // V
  bool is_vector_major = false;
  // Each row, [W] or [W][V], is padded to a multiple of this many bytes. 0: rows aren't padded.
  std::int64_t row_bytes = 0;
  // The vectors from one row to the next, as TensorRT tells them, if the layout is vector-major. 0: rows aren't padded.
  std::int64_t row_vectors = 0;
  bool is_image = false;  // there are 1, 3 or 4 channels, and V is 1 if there is 1 channel

  [[nodiscard]] bool is_row_major() const { return channel == 0 && row_bytes == 0; }
};

// Returns nullopt for a format that the worker's headers don't have.
std::optional<TensorLayout> layout_of(nvinfer1::TensorFormat format);

// Returns the number of elements, of `size` bytes each, that are stored, padding included. Returns nullopt if the shape
// has fewer dimensions than the layout needs, has other channels than it can have, or is too large.
std::optional<std::uint64_t> stored_elements(const TensorLayout& layout, const tensor::Shape& shape, std::size_t size);

// Returns the elements, of `size` bytes each, in the order of the layout; padding is zero. The shape must fit.
std::vector<std::byte> to_stored(std::span<const std::byte> bytes, const tensor::Shape& shape, std::size_t size,
                                 const TensorLayout& layout);
// Returns the elements in row-major order.
std::vector<std::byte> from_stored(std::span<const std::byte> stored, const tensor::Shape& shape, std::size_t size,
                                   const TensorLayout& layout);

}  // namespace assay::backend
