// Finds settings and values that TensorRT 11 has removed. The rows of settings and enumerators say which. The worker
// and the scripts refuse them before they build anything.
#pragma once

#include <span>
#include <string>

#include "tensorrt/given_settings.h"

namespace assay::tensorrt {

// Returns which of these settings TensorRT 11 has removed, or a value of one, with what to do instead: the first that
// was given. Empty if it has all of them.
std::string removed_in_11(const GivenSettings& given, std::span<const Setting> settings);

}  // namespace assay::tensorrt
