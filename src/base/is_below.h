// Tells whether a path is inside a folder. It keeps files that a model names inside the model's folder.
#pragma once

#include <filesystem>

namespace assay::base {

// Returns whether the path is the folder or below it. Compares only the components, so both paths must be canonical
// (std::filesystem::canonical): without links, "..", and a slash at the end.
bool is_below(const std::filesystem::path& folder, const std::filesystem::path& path);

}  // namespace assay::base
