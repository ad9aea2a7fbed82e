// Options that name files, checked against each other before anything is read or written.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"

namespace assay::cli {

struct OptionPath {
  std::string option;  // "--save-inputs"
  std::string path;    // empty: not given
};

// Errors: invalid_input where two options would write to one file or folder, or one would write to what another reads;
// both are named. Whatever ways the paths are spelt, links included.
base::Status check_paths(const std::vector<OptionPath>& written, const std::vector<OptionPath>& read);

}  // namespace assay::cli
