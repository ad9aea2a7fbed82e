// Creates the folders of TempDir and LockedTempDir.
#pragma once

#include <filesystem>
#include <string>

#include "base/error.h"

namespace assay::base {

// Returns `parent` or, if that is empty, the system's temporary folder. Errors: those of system_error().
Expected<std::filesystem::path> temp_parent(const std::filesystem::path& parent);

// Creates a folder in `parent` whose name is `prefix` and six random characters, and returns its path. Errors: those of
// system_error().
Expected<std::filesystem::path> make_temp_folder(const std::filesystem::path& parent, const std::string& prefix);

}  // namespace assay::base
