// Reads and writes the archives of numpy.savez and numpy.savez_compressed: zip files of .npy files.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "tensor/tensor.h"

namespace assay::tensor {

// Returns the arrays by name (without ".npy"), in the order of the archive. Entries may be stored or deflated.
// Errors: not_found; invalid_input, with the entry's name, if the file is damaged or an entry isn't an array.
base::Expected<NamedTensors> read_npz(const std::filesystem::path& path);

// The arrays of an archive, and why others can't be read: by name, without ".npy".
struct NpzContent {
  NamedTensors arrays;
  std::vector<std::pair<std::string, base::Error>> unreadable;
};
// The same as read_npz(), but an entry that isn't an array is no error.
base::Expected<NpzContent> read_npz_content(const std::filesystem::path& path);

// Writes an uncompressed archive as numpy.savez does, through AtomicFile. The whole archive is in memory meanwhile.
// Errors: unsupported, with the array's name, for an array that .npy can't hold; io.
base::Status write_npz(const std::filesystem::path& path, const NamedTensors& arrays);

}  // namespace assay::tensor
