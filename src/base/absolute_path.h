// Makes a path absolute without throwing.
#pragma once

#include <filesystem>

namespace assay::base {

// Returns the absolute form of a path. If the working folder has been removed, a relative path stays as it is, and
// using it fails.
std::filesystem::path absolute_path(const std::filesystem::path& path);

}  // namespace assay::base
