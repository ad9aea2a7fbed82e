// Reads types and elements of a model's tensors, for the fake parser and its refitter.
#pragma once

#include <NvInferRuntime.h>

#include <filesystem>
#include <optional>
#include <string>

#include "onnx_model.h"

namespace fake_tensorrt {

// Returns TensorRT's type for one of TensorProto.DataType, or nothing if the fake doesn't have it.
[[nodiscard]] std::optional<nvinfer1::DataType> type_of(int onnx_type);
// Returns an empty string if the file can't be read.
[[nodiscard]] std::string read_file(const std::filesystem::path& path);
// Returns the elements of a tensor, also those in a file of `folder`. Empty if it can't be read.
[[nodiscard]] std::string elements_of(const OnnxTensor& tensor, const std::filesystem::path& folder);

}  // namespace fake_tensorrt
