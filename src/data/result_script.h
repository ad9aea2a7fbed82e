// Calls a user's Python functions on results: one that compares two results, one that changes a result beforehand.
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

// Each call runs in its own process, so a script keeps nothing from one iteration to the next; arrays are passed in
// files of a temporary folder. The script's output goes to the log. In the script, a result is a dictionary of NumPy
// arrays with the members runner_name and runtime. Errors of both functions: not_found for the script and for Python;
// invalid_input with the end of the traceback if the script raises, or if its result is invalid; unsupported for an
// array that an .npy file can't hold; interrupted.

// The function's result: for each output, whether the two results agree.
using ScriptAnswers = std::vector<std::pair<std::string, bool>>;
base::Expected<ScriptAnswers> compare_by_script(const ScriptOptions& options, const IterationResult& first,
                                                const IterationResult& second, const base::Stop& stop, base::Log& log);

// Returns the outputs that the function computes from a result.
base::Expected<tensor::NamedTensors> postprocess_by_script(const ScriptOptions& options, const IterationResult& result,
                                                           const base::Stop& stop, base::Log& log);

}  // namespace assay::data
