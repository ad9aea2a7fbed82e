// Combines several files of data: array by array (merge) or one after another (concat).
#pragma once

#include <filesystem>
#include <variant>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "data/run_results.h"
#include "tensor/tensor.h"

namespace assay::data {

// Reads files of inputs, outputs or both. Iteration i of the result holds all arrays of iteration i of all files, as
// inputs. If a name occurs again (also from another runner of the same file), the later array replaces the earlier one,
// with a warning. Files of different lengths also give a warning; some iterations then lack arrays. So does
// a result without iterations.
base::Expected<std::vector<tensor::NamedTensors>> merge_data(const std::vector<std::filesystem::path>& paths,
                                                             base::Log& log);

using Data = std::variant<std::vector<tensor::NamedTensors>, RunResults>;  // inputs or outputs

// Returns all iterations of the first file, then those of the second, and so on; outputs are joined by runner. Warns
// about iterations of inputs whose names differ from the first. Errors: invalid_input if inputs and outputs are mixed.
base::Expected<Data> concat_data(const std::vector<std::filesystem::path>& paths, base::Log& log);

// Saves to a single file, whatever its name.
base::Status save_data(const std::filesystem::path& path, const Data& data);

}  // namespace assay::data
