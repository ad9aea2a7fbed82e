// A user's Python functions on results: one that compares two, one that changes one before it is compared.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "base/stop.h"
#include "data/run_results.h"
#include "data/script_source.h"
#include "tensor/tensor.h"

namespace assay::data {

// Each call is a process of its own, so that a script keeps nothing from one iteration to the next; arrays go to it and
// come back in files of a temporary folder. What the script prints goes to the log. In the script, a result is a
// dictionary of NumPy arrays with the members runner_name and runtime. Errors, of both: not_found for the script and
// for Python; invalid_input with the end of the traceback where the script raises, or where what it gives makes no
// sense; unsupported for an array that no .npy file can hold; interrupted.

// What the function gives: whether each output agrees.
using Verdicts = std::vector<std::pair<std::string, bool>>;
base::Expected<Verdicts> compare_by_script(const ScriptOptions& options, const IterationResult& first,
                                           const IterationResult& second, const base::Stop& stop, base::Log& log);

// The outputs that the function makes of a result.
base::Expected<tensor::NamedTensors> postprocess_by_script(const ScriptOptions& options, const IterationResult& result,
                                                           const base::Stop& stop, base::Log& log);

}  // namespace assay::data
