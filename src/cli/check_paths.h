// Checks the files that options name against each other, before anything is read or written.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"

namespace assay::cli {

struct OptionPath {
  std::string option;  // "--save-inputs"
  std::string path;    // empty: not given
};

// Errors: invalid_input, naming both options, if two would write to the same file or folder, or if one would write to
// what another reads. Compares real paths: spelling and symbolic links make no difference.
base::Status check_paths(const std::vector<OptionPath>& written, const std::vector<OptionPath>& read);

}  // namespace assay::cli
