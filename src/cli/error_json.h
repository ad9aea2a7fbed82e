// How a command that prints JSON reports an error.
#pragma once

#include <string>

#include "base/error.h"

namespace assay::cli {

// Returns {"error": {"kind": "not_found", "message": ..., "where": ..., "fix": ...}} with a line break at its end.
// "message" is all of it as one line of text; "where" and "fix" may be empty.
std::string error_json(const base::Error& error);

}  // namespace assay::cli
