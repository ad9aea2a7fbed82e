// Where writers put their bytes: a file, a string, another encoder. So a tensor is written piece by piece, in any
// nesting of formats, without a second copy of it in memory.
#pragma once

#include <functional>
#include <string_view>

#include "base/error.h"

namespace assay::tensor {

using ByteSink = std::function<base::Status(std::string_view)>;

}  // namespace assay::tensor
