// Reads files that hold one tensor, as ONNX's own tests and its model zoo have them.
#pragma once

#include <filesystem>

#include "base/error.h"
#include "tensor/tensor.h"

namespace assay::model {

// Loads a file that holds one TensorProto, such as onnx.save_tensor() writes, with the name that it has in the file,
// which may be empty. Errors: not_found; io; invalid_input if the file holds something else; unsupported if it refers
// to another file for its values.
base::Expected<tensor::NamedTensors::Item> load_tensor(const std::filesystem::path& path);

}  // namespace assay::model
