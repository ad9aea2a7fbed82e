// Several steps that are all tried, although one of them fails.
#pragma once

#include <initializer_list>

#include "base/error.h"
#include "base/log.h"

namespace assay::cli {

// Returns the first error, and logs the others.
base::Status first_error(std::initializer_list<base::Status> results, base::Log& log);

}  // namespace assay::cli
