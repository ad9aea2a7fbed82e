// Says which inputs callers of a model can't set any more after a command has changed it.
#pragma once

#include <string>
#include <vector>

#include "base/log.h"

namespace assay::cli {

// `names`: model::lost_inputs(). Logs nothing if there are none.
void warn_of_lost_inputs(std::vector<std::string> names, base::Log& log);

}  // namespace assay::cli
