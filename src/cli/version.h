// The text of `assay --version`.
#pragma once

#include <string>

#include "cli/installation.h"

namespace assay::cli {

// Lists the versions of Assay and ONNX, then a line for each engine: version, library, and how it was found.
std::string version_text(const Installation& installation);

}  // namespace assay::cli
