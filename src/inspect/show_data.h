// `inspect data`: shows files of saved inputs and outputs and of judged comparisons, array by array. At most one array
// is in memory, however many there are.
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "inspect/array_description.h"
#include "tensor/byte_sink.h"

namespace assay::inspect {

struct DataOptions {
  bool all_iterations = false;  // otherwise the first of each runner
  ArrayOptions array;
  std::uint64_t json_values = 1000;  // most values per array in JSON
};

// Receives a piece of text, without a newline at its end: headings and arrays below them.
using Message = std::function<void(std::string_view)>;

// Shows files or folders as text. Returns false if an array couldn't be read; the others are shown. Errors: not_found;
// invalid_input if a file holds neither inputs, outputs nor accuracy results. Nothing is shown then.
base::Expected<bool> show_data(const std::vector<std::filesystem::path>& paths, const DataOptions& options,
                               const Message& message);

// The same as a JSON object:
//   {"files": [{"path", "kind": "inputs" or "outputs", "runners": [RUNNER]} or
//              {"path", "kind": "accuracy", "comparisons": [COMPARISON]}]}
//   RUNNER: {"name" or null, "iteration_count", "iterations": [{"iteration", "runtime_s" or null, "arrays": [ARRAY]}]}
//   ARRAY: as array_json(), with "values" if requested: a flat list in row-major order, or, if there are more than
//     json_values, {"first": [...], "count": N}
//   COMPARISON: {"function" or null, "average", "pairs": [{"first", "second", "passed_iterations", "iteration_count",
//     "iterations": [{"iteration", "outputs": [{"name", "passed", "metrics": {...}}]}]}]}
// NaN and infinities are the strings "nan", "inf" and "-inf".
base::Expected<bool> show_data_json(const std::vector<std::filesystem::path>& paths, const DataOptions& options,
                                    const tensor::ByteSink& sink);

}  // namespace assay::inspect
