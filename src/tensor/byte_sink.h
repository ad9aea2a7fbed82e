// The destination of a writer's bytes: a file, a string or another encoder. Writers that nest (an array in an .npy file
// in base64 in JSON) pass pieces on, so that no second copy of a tensor is in memory.
#pragma once

#include <functional>
#include <string_view>

#include "base/error.h"

namespace assay::tensor {

using ByteSink = std::function<base::Status(std::string_view)>;

}  // namespace assay::tensor
