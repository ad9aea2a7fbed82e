// What `assay --version` tells.
#pragma once

#include <string>

#include "cli/installation.h"

namespace assay::cli {

// Versions of Assay and ONNX, then a line for each engine: version, library, and how it was found.
std::string version_text(const Installation& installation);

}  // namespace assay::cli
