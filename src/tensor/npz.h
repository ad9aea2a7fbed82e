// Archives of arrays, as numpy.savez and numpy.savez_compressed write them: a zip file of .npy files.
#pragma once

#include <filesystem>

#include "base/error.h"
#include "tensor/tensor.h"

namespace assay::tensor {

// Arrays by name (without ".npy"), in the order of the archive. Entries may be stored or deflated.
// Errors: not_found; invalid_input where it is no zip archive, damaged, or has an entry that is no array (named).
base::Expected<NamedTensors> read_npz(const std::filesystem::path& path);

// Stored, not deflated, as numpy.savez does; replaces a file of that name, and is never half written. All of it is in
// memory at once. Errors: unsupported for an array that an .npy file cannot hold (named); io.
base::Status write_npz(const std::filesystem::path& path, const NamedTensors& arrays);

}  // namespace assay::tensor
