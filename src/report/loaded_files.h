// The files that an engine loads because a setting names them, such as libraries of custom operators.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "report/repro.h"

namespace assay::report {

struct LoadedFile {
  std::string path;
  std::string what;  // "libraries of custom operators"
};

// Returns those that the settings of `input` name.
std::vector<LoadedFile> loaded_files(const ReproInput& input);

// Copies them to `folder`, and names the copies in the settings. Errors: not_found, io.
base::Status copy_loaded_files(ReproInput& input, const std::filesystem::path& folder);

}  // namespace assay::report
