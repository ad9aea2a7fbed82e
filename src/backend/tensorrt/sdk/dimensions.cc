#include "backend/tensorrt/sdk/dimensions.h"

#include <algorithm>
#include <array>
#include <utility>

namespace assay::backend {

using nvinfer1::DataType;
using tensor::ElementType;

std::vector<std::int64_t> to_shape(const nvinfer1::Dims& dims) {
  return {dims.d, dims.d + std::max(dims.nbDims, 0)};
}

std::optional<nvinfer1::Dims> to_dims(const std::vector<std::int64_t>& shape) {
  nvinfer1::Dims dims = {};
  if (shape.size() > nvinfer1::Dims::MAX_DIMS) return std::nullopt;
  dims.nbDims = static_cast<std::int32_t>(shape.size());
  std::ranges::copy(shape, dims.d);
  return dims;
}

std::vector<std::int64_t> whole_numbers(const tensor::Tensor& tensor) {
  std::vector<std::int64_t> numbers;
  for (std::uint64_t i = 0; i < tensor.size(); ++i) {
    if (tensor.type() == ElementType::int64) numbers.push_back(tensor.load<std::int64_t>(i));
    if (tensor.type() == ElementType::int32) numbers.push_back(tensor.load<std::int32_t>(i));
  }
  return numbers;
}

ElementType to_element_type(DataType type) {
  // By number, because headers of older versions lack the newest types.
  constexpr std::array kTypes = {ElementType::float32,      ElementType::float16,    ElementType::int8,
                                 ElementType::int32,        ElementType::boolean,    ElementType::uint8,
                                 ElementType::float8e4m3fn, ElementType::bfloat16,   ElementType::int64,
                                 ElementType::int4,         ElementType::float4e2m1, ElementType::float8e8m0};
  const auto number = static_cast<std::size_t>(type);
  return number < kTypes.size() ? kTypes.at(number) : ElementType::undefined;
}

}  // namespace assay::backend
