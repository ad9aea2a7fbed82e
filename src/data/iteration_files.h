// A file or a folder of saved data. A path with an extension is one file; one without is a folder with a file for each
// iteration, 0000000000.json, 0000000001.json and so on, so that no more than one iteration is ever in memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"

namespace assay::data {

// How a path that is to be written is meant.
inline bool is_folder_form(const std::filesystem::path& path) {
  return !path.has_extension();
}

// "0000000007.json"
std::string iteration_file_name(std::int64_t iteration);

// The files to read for a path: itself, or where it is a folder the .json and .npz files in it, in order of their
// names. Errors: not_found where nothing is there; io.
base::Expected<std::vector<std::filesystem::path>> iteration_files(const std::filesystem::path& path);

// Makes the folder that iterations will be written to, or takes one that is empty. Errors: invalid_input where files
// are in it or a file has its name: nothing is ever overwritten.
base::Status prepare_folder(const std::filesystem::path& path);

}  // namespace assay::data
