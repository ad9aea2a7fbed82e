// Arithmetic on nvinfer1::Dims, in which -1 is a size that isn't known yet, and on element types.
#pragma once

#include <NvInferRuntime.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fake_tensorrt {

[[nodiscard]] nvinfer1::Dims make_dims(const std::vector<std::int64_t>& sizes);
// What TensorRT returns for a tensor that doesn't exist.
[[nodiscard]] nvinfer1::Dims no_dims();
[[nodiscard]] std::vector<std::int64_t> sizes_of(const nvinfer1::Dims& dims);
[[nodiscard]] std::string to_text(const nvinfer1::Dims& dims);  // such as "[2,-1]"

[[nodiscard]] bool is_known(const nvinfer1::Dims& dims);
[[nodiscard]] std::int64_t volume(const nvinfer1::Dims& dims);
// Returns whether `dims` could be the shape of a tensor that was declared with `pattern`.
[[nodiscard]] bool matches(const nvinfer1::Dims& pattern, const nvinfer1::Dims& dims);
// Returns nothing if the shapes can't be broadcast.
[[nodiscard]] std::optional<nvinfer1::Dims> broadcast(const nvinfer1::Dims& one, const nvinfer1::Dims& other);

// Returns the position in a broadcast operand for a position in the result.
[[nodiscard]] std::int64_t position_in(const nvinfer1::Dims& operand, const nvinfer1::Dims& result,
                                       std::int64_t position);

// Returns 0 for types of less than a byte, which the fake doesn't have.
[[nodiscard]] std::size_t element_size(nvinfer1::DataType type);

}  // namespace fake_tensorrt
