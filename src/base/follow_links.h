// Finds the file that a symbolic link leads to, so that writing to a link changes that file and keeps the link.
#pragma once

#include <filesystem>

#include "base/error.h"

namespace assay::base {

// Returns the file or folder that writing to `path` changes: `path` itself, or the end of the symbolic links that begin
// there, which may not exist yet. Errors: not_found if a link leads into a folder that doesn't exist; io for links that
// lead in a circle.
Expected<std::filesystem::path> follow_links(const std::filesystem::path& path);

}  // namespace assay::base
