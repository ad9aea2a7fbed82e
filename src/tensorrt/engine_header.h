// The first bytes of a saved engine. They say which TensorRT built it, also to a TensorRT that can't read the rest.
#pragma once

#include <optional>
#include <string_view>

#include "tensorrt/version.h"

namespace assay::tensorrt {

// Returns whether the bytes begin like an engine of TensorRT.
bool is_engine(std::string_view bytes);

// Returns the version of TensorRT that built the engine, or nullopt if the bytes don't tell it.
std::optional<Version> version_that_built(std::string_view engine);

}  // namespace assay::tensorrt
