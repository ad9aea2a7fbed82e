// The layout of saved data: one file with all iterations, or a folder with a file per iteration, 0000000000.json,
// 0000000001.json and so on, so that at most one iteration is in memory at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"

namespace assay::data {

// Returns true if a path to be written means a folder: if a folder exists there, or if nothing does and the path has no
// extension. (Over an existing file without an extension, Polygraphy up to 0.49 writes a file; later ones refuse.)
bool is_folder_form(const std::filesystem::path& path);

// "0000000007.json"
std::string iteration_file_name(std::int64_t iteration);

// Returns the files to read for a path: the path itself if it is a file or one of ONNX's data sets (onnx_data_set.h);
// of another folder, its .json and .npz files, sorted by name, or else the data sets in it. Errors: not_found if the
// path doesn't exist; invalid_input if the folder has none of these; io.
base::Expected<std::vector<std::filesystem::path>> iteration_files(const std::filesystem::path& path);

// Returns whether a file that has the extension .npz isn't JSON: Assay and Polygraphy write JSON under any name.
bool is_npz(const std::filesystem::path& path);

// Creates the folder to which iterations will be written, or accepts an empty one. Errors: invalid_input if the folder
// isn't empty, as no iteration is ever overwritten; io.
base::Status prepare_folder(const std::filesystem::path& path);

}  // namespace assay::data
