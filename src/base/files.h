// Whole files and folders.
//
// Errors: those of system_error() or read_error(), with the path as `where`, unless a function says otherwise.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/atomic_file.h"
#include "base/error.h"

namespace assay::base {

// Returns whether something is at the path; false if that can't be told.
bool exists(const std::filesystem::path& path);

Expected<std::string> read_file(const std::filesystem::path& path);

// Returns the paths of a folder's entries, sorted.
Expected<std::vector<std::filesystem::path>> list_folder(const std::filesystem::path& path);

// Writes a whole file through AtomicFile.
Status write_file(const std::filesystem::path& path, std::string_view bytes);

// Copies a regular file, or replaces one, through AtomicFile. The source and the target must be different files.
Status copy_file(const std::filesystem::path& from, const std::filesystem::path& to,
                 Durability durability = Durability::machine);

// Returns whether two regular files are the same file or have the same bytes.
Expected<bool> have_same_bytes(const std::filesystem::path& first, const std::filesystem::path& second);

}  // namespace assay::base
