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
// what another reads, such as weights of a model. Compares real paths: spelling and symbolic links don't matter.
base::Status check_paths(const std::vector<OptionPath>& written, const std::vector<OptionPath>& read);

// Checks that a file can be created at `path`, unless it is empty, and removes what killed runs left of it. Errors:
// those of creating a file, with the option's name. A pipe can always be written.
base::Status check_writable(const std::string& path, const std::string& option);

// Checks that files can be created in `folder`, which may be new, unless it is empty. Creates the folder. Errors: as
// above.
base::Status check_writable_folder(const std::string& folder, const std::string& option);

// Adds to an error about a file which option names that file.
base::Error name_option(base::Error error, const std::string& option);

}  // namespace assay::cli
