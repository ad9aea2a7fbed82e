// Writes the files of a model: its message with inline weights, and files of external weights.
#pragma once

#include <cstdint>
#include <filesystem>

#include "base/atomic_file.h"
#include "base/byte_status.h"
#include "base/error.h"
#include "model/move_weights_out.h"
#include "model/splice_weights.h"

namespace assay::model {

// Write a whole file, which gets its name when the caller commits it. `status` shows the progress. Errors: io, also if
// a file that the weights come from was truncated meanwhile.
base::Expected<base::AtomicFile> write_model(const Splice& splice, const std::filesystem::path& path,
                                             base::ByteStatus& status);
base::Expected<base::AtomicFile> write_weights(const WeightsFile& weights, const std::filesystem::path& path,
                                               base::ByteStatus& status);

// Returns the size of the file in bytes.
std::uint64_t size_of(const WeightsFile& weights);

}  // namespace assay::model
