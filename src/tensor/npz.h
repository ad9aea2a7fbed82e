// Archives of arrays, as numpy.savez and numpy.savez_compressed write them: a zip file of .npy files.
#pragma once

#include <filesystem>

#include "base/error.h"
#include "tensor/tensor.h"

namespace assay::tensor {

// Arrays by name (without ".npy"), in the order of the archive. Entries may be stored or deflated.
// Errors: not_found; invalid_input where it is no zip archive, damaged, or has an entry that is no array (named).
base::Expected<NamedTensors> read_npz(const std::filesystem::path& path);

}  // namespace assay::tensor
