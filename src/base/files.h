// Whole files and folders.
//
// Errors: those of system_error() or read_error(), with the path as `where`, unless a function says otherwise.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace assay::base {

Expected<std::string> read_file(const std::filesystem::path& path);

// Returns the paths of a folder's entries, sorted.
Expected<std::vector<std::filesystem::path>> list_folder(const std::filesystem::path& path);

// Writes a whole file through AtomicFile.
Status write_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace assay::base
