// Finds the memory that a tensor takes, from its declaration alone.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <optional>

#include "model/shapes.h"

namespace assay::model {

// Returns the bytes of the elements, or nothing if the type or a size is unknown. Strings count as in
// tensor::declared_bytes().
std::optional<std::uint64_t> static_bytes(const TensorInfo& info);
std::optional<std::uint64_t> static_bytes(const onnx::ValueInfoProto& value);

}  // namespace assay::model
