// Several files of data made one: side by side (merge) or one after another (concat).
#pragma once

#include <filesystem>
#include <variant>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "data/run_results.h"
#include "tensor/tensor.h"

namespace assay::data {

// Files of inputs, of outputs, or both: iteration i of the result has all arrays of iteration i of all files, as
// inputs. Where a name comes again (also from another runner of the same file) the later array stays, with a warning.
// Files of different lengths give a warning; later iterations then lack arrays.
base::Expected<std::vector<tensor::NamedTensors>> merge_data(const std::vector<std::filesystem::path>& paths,
                                                             base::Log& log);

using Data = std::variant<std::vector<tensor::NamedTensors>, RunResults>;  // inputs or outputs

// All iterations of the first file, then those of the second, and so on; outputs by runner. Iterations with other names
// than the first give a warning. Errors: invalid_input where inputs and outputs are mixed.
base::Expected<Data> concat_data(const std::vector<std::filesystem::path>& paths, base::Log& log);

// Inputs or outputs, as the file turns out to be.
base::Expected<Data> load_data(const std::filesystem::path& path);

// A single file, whatever its name.
base::Status save_data(const std::filesystem::path& path, const Data& data);

}  // namespace assay::data
