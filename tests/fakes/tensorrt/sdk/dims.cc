#include "dims.h"

#include <algorithm>

namespace fake_tensorrt {

using nvinfer1::DataType;
using nvinfer1::Dims;

Dims make_dims(const std::vector<std::int64_t>& sizes) {
  Dims dims = {};
  dims.nbDims = static_cast<std::int32_t>(std::min<std::size_t>(sizes.size(), Dims::MAX_DIMS));
  std::copy_n(sizes.begin(), dims.nbDims, dims.d);
  return dims;
}

Dims no_dims() {
  Dims dims = {};
  dims.nbDims = -1;
  return dims;
}

std::vector<std::int64_t> sizes_of(const Dims& dims) {
  return {dims.d, dims.d + std::max(0, dims.nbDims)};
}

std::string to_text(const Dims& dims) {
  std::string text;
  for (const std::int64_t size : sizes_of(dims)) text += (text.empty() ? "" : ",") + std::to_string(size);
  return "[" + text + "]";
}

bool is_known(const Dims& dims) {
  return dims.nbDims >= 0 && std::all_of(dims.d, dims.d + dims.nbDims, [](std::int64_t size) { return size >= 0; });
}

std::int64_t volume(const Dims& dims) {
  std::int64_t product = 1;
  for (const std::int64_t size : sizes_of(dims)) product *= size;
  return product;
}

bool matches(const Dims& pattern, const Dims& dims) {
  if (pattern.nbDims != dims.nbDims) return false;
  return std::equal(pattern.d, pattern.d + pattern.nbDims, dims.d,
                    [](std::int64_t declared, std::int64_t size) { return declared == -1 || declared == size; });
}

std::optional<Dims> broadcast(const Dims& one, const Dims& other) {
  const int rank = std::max(one.nbDims, other.nbDims);
  Dims result = {};
  result.nbDims = rank;
  for (int axis = 0; axis < rank; ++axis) {
    const auto size_in = [&](const Dims& dims) {
      const int own_axis = axis - (rank - dims.nbDims);
      return own_axis < 0 ? 1 : dims.d[own_axis];
    };
    const std::int64_t a = size_in(one);
    const std::int64_t b = size_in(other);
    if (a > 1 && b > 1 && a != b) return std::nullopt;
    // An unknown size next to a known one other than 1 can only be this one, or 1.
    result.d[axis] = a == 1 ? b : b == 1 ? a : std::max(a, b);
    if (a == 0 || b == 0) result.d[axis] = 0;
  }
  return result;
}

std::int64_t position_in(const Dims& operand, const Dims& result, std::int64_t position) {
  std::int64_t found = 0;
  std::int64_t stride = 1;
  for (int axis = result.nbDims - 1; axis >= 0; --axis) {
    const std::int64_t index = position % result.d[axis];
    position /= result.d[axis];
    const int own_axis = axis - (result.nbDims - operand.nbDims);
    if (own_axis < 0) continue;
    if (operand.d[own_axis] != 1) found += index * stride;
    stride *= operand.d[own_axis];
  }
  return found;
}

std::size_t element_size(DataType type) {
  switch (type) {
    case DataType::kINT64:
      return 8;
    case DataType::kFLOAT:
    case DataType::kINT32:
      return 4;
    case DataType::kHALF:
    case DataType::kBF16:
      return 2;
    case DataType::kINT8:
    case DataType::kUINT8:
    case DataType::kBOOL:
    case DataType::kFP8:
      return 1;
    default:
      return 0;
  }
}

}  // namespace fake_tensorrt
