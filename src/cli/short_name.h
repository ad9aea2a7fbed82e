// Names of runners that are short enough for a summary.
#pragma once

#include <string>

namespace assay::cli {

// Turns "onnxrt-runner-N0-11/21/26-02:35:21" into "onnxrt N0"; other names stay as they are.
std::string short_name(const std::string& runner);

}  // namespace assay::cli
