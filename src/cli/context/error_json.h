// Formats an error for commands that print JSON.
#pragma once

#include <string>

#include "base/error.h"

namespace assay::cli {

// Returns {"error": {"kind": "not_found", "message": ..., "where": ..., "fix": ...}} with a line break at its end.
// "message" is all of it as one line of text; "where" and "fix" may be empty.
std::string error_json(const base::Error& error);

}  // namespace assay::cli
