// The text of `assay --version`.
#pragma once

#include <string>

#include "cli/context/installation.h"

namespace assay::cli {

// Returns the first line of that text: "assay" and the version.
std::string program_version();

// Lists the versions of Assay and ONNX, then a line for each engine: version, library, and how it was found.
std::string version_text(const Installation& installation);

}  // namespace assay::cli
