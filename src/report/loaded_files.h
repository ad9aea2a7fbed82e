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
  bool is_copied = true;
};

// Returns whether the dynamic loader has to search this library: it is a name without a folder, and isn't a file in the
// working folder.
bool is_searched_by_loader(const std::filesystem::path& library);

// Copies the files that the settings of `input` name to `folder`, and names the copies in the settings. Libraries that
// the dynamic loader searches keep their names, and aren't copied. Returns all of them. Errors: not_found, io.
base::Expected<std::vector<LoadedFile>> copy_loaded_files(ReproInput& input, const std::filesystem::path& folder);

}  // namespace assay::report
