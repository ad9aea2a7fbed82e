// Follows the subscripts in the comments of nvinfer1::TensorFormat, for tensors [N][C][H][W] or with fewer dimensions
// in front.
#include "formats.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "dims.h"
#include "misbehave.h"

namespace fake_tensorrt {
namespace {

using nvinfer1::Dims;
using nvinfer1::TensorFormat;

// Returns the number of channels in a vector; 0 for row-major tensors.
std::int64_t vector_length(TensorFormat format) {
  switch (format) {
    case TensorFormat::kHWC:
      return 1;
    case TensorFormat::kCHW2:
      return 2;
    case TensorFormat::kCHW4:
    case TensorFormat::kDLA_HWC4:
      return 4;
    case TensorFormat::kHWC8:
      return 8;
    case TensorFormat::kCHW32:
      return 32;
    default:
      return 0;
  }
}

bool has_channels_last(TensorFormat format) {
  return format == TensorFormat::kHWC || format == TensorFormat::kHWC8;
}

std::int64_t round_up(std::int64_t number, std::int64_t step) {
  return (number + step - 1) / step * step;
}

// Returns the number of vectors that are stored for a row of a tensor in vectors of channels.
std::int64_t row_vectors(const GraphTensor& tensor, const Dims& dims) {
  const TensorFormat format = chosen_format(tensor);
  const std::int64_t width = dims.d[dims.nbDims - 1];
  if (has_channels_last(format) || !misbehaves("pad_rows")) return width;
  const std::int64_t bytes = vector_length(format) * static_cast<std::int64_t>(element_size(tensor.io_type));
  return round_up(width * bytes, 128) / bytes;
}

// Calls move(row-major position, stored position) for each element.
template <class Move>
void for_each_element(const GraphTensor& tensor, const Dims& dims, const Move& move) {
  const TensorFormat format = chosen_format(tensor);
  const std::int64_t length = vector_length(format);
  const std::int64_t count = volume(dims);
  const std::int64_t size = static_cast<std::int64_t>(element_size(tensor.io_type));
  for (std::int64_t i = 0; i < count; ++i) {
    if (format == TensorFormat::kDLA_LINEAR) {  // [N][C][H][roundUp(W, 64/size)]
      const std::int64_t width = dims.d[dims.nbDims - 1];
      move(i, i / width * round_up(width, 64 / size) + i % width);
      continue;
    }
    if (length == 0) {
      move(i, i);
      continue;
    }
    const std::int64_t width = dims.d[dims.nbDims - 1];
    const std::int64_t height = dims.d[dims.nbDims - 2];
    const std::int64_t channels = dims.d[dims.nbDims - 3];
    const std::int64_t w = i % width;
    const std::int64_t h = i / width % height;
    const std::int64_t c = i / width / height % channels;
    const std::int64_t n = i / width / height / channels;
    if (format == TensorFormat::kDLA_HWC4) {  // [N][H][roundUp(W, 64/C'/size)][C']
      const std::int64_t stored = channels == 1 ? 1 : 4;
      move(i, ((n * height + h) * round_up(width, 64 / stored / size) + w) * stored + c);
      continue;
    }
    const std::int64_t padded = round_up(channels, length);
    const std::int64_t row = row_vectors(tensor, dims);
    move(i, has_channels_last(format)
                ? ((n * height + h) * width + w) * padded + c
                : (((n * (padded / length) + c / length) * height + h) * row + w) * length + c % length);
  }
}

}  // namespace

TensorFormat chosen_format(const GraphTensor& tensor) {
  int last = 0;
  for (int bit = 0; bit < nvinfer1::EnumMax<TensorFormat>(); ++bit) {
    if ((tensor.formats >> bit & 1U) != 0) last = bit;
  }
  return static_cast<TensorFormat>(last);
}

std::size_t stored_size(const GraphTensor& tensor, const Dims& dims) {
  const std::int64_t length = vector_length(chosen_format(tensor));
  Dims padded = dims;
  const std::int64_t size = static_cast<std::int64_t>(element_size(tensor.io_type));
  if (chosen_format(tensor) == TensorFormat::kDLA_LINEAR) {
    padded.d[dims.nbDims - 1] = round_up(dims.d[dims.nbDims - 1], 64 / size);
  }
  if (chosen_format(tensor) == TensorFormat::kDLA_HWC4) {
    const std::int64_t stored = dims.d[dims.nbDims - 3] == 1 ? 1 : 4;
    padded.d[dims.nbDims - 3] = stored;
    padded.d[dims.nbDims - 1] = round_up(dims.d[dims.nbDims - 1], 64 / stored / size);
    return static_cast<std::size_t>(volume(padded) * size);
  }
  if (length > 0) {
    padded.d[dims.nbDims - 3] = round_up(dims.d[dims.nbDims - 3], length);
    padded.d[dims.nbDims - 1] = row_vectors(tensor, dims);
  }
  return static_cast<std::size_t>(volume(padded)) * element_size(tensor.io_type);
}

// Doesn't know the DLA's own formats.
Dims strides_of(const GraphTensor& tensor, const Dims& dims) {
  const TensorFormat format = chosen_format(tensor);
  std::vector<int> axes(static_cast<std::size_t>(dims.nbDims));  // outermost first
  std::iota(axes.begin(), axes.end(), 0);
  Dims stored = dims;
  if (const std::int64_t length = vector_length(format); length > 0 && format != TensorFormat::kDLA_HWC4) {
    const int channels = dims.nbDims - 3;
    stored.d[channels] = round_up(dims.d[channels], length) / length;
    stored.d[dims.nbDims - 1] = row_vectors(tensor, dims);
    if (has_channels_last(format)) std::rotate(axes.end() - 3, axes.end() - 2, axes.end());
  }
  Dims strides = dims;
  std::int64_t step = 1;
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
    strides.d[*axis] = step;
    step *= stored.d[*axis];
  }
  return strides;
}

void store(const GraphTensor& tensor, const Value& value, std::byte* memory) {
  const std::size_t size = element_size(tensor.io_type);
  for_each_element(tensor, value.dims, [&](std::int64_t from, std::int64_t to) {
    std::memcpy(memory + static_cast<std::size_t>(to) * size,
                value.bytes.data() + static_cast<std::size_t>(from) * size, size);
  });
}

Value restore(const GraphTensor& tensor, const Dims& dims, const std::byte* memory) {
  const std::size_t size = element_size(tensor.io_type);
  Value value{dims, std::vector<std::byte>(static_cast<std::size_t>(volume(dims)) * size)};
  for_each_element(tensor, dims, [&](std::int64_t to, std::int64_t from) {
    std::memcpy(value.bytes.data() + static_cast<std::size_t>(to) * size,
                memory + static_cast<std::size_t>(from) * size, size);
  });
  return value;
}

}  // namespace fake_tensorrt
