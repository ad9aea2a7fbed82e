// The results of engines in Polygraphy's form (RunResults): for each runner in running order, its iterations.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "tensor/tensor.h"

namespace assay::data {

struct IterationResult {
  tensor::NamedTensors outputs;
  std::optional<double> runtime_s;
  std::string runner;
};

struct RunnerResults {
  std::string runner;
  std::vector<IterationResult> iterations;
};

struct RunResults {
  std::vector<RunnerResults> runners;

  // Returns the results of this runner, adding it at the end if it isn't there yet.
  RunnerResults& runner(std::string_view name);
};

// Returns a name like "onnxrt-runner-N0-11/21/26-02:35:21", in local time.
std::string make_runner_name(std::string_view kind, int index, std::chrono::system_clock::time_point now);
// Shortens such a name for tables: "onnxrt N0". Returns any other name unchanged.
std::string short_runner_name(const std::string& runner);

// Loads a file, or a folder whose files hold an iteration each; iterations of all files are joined by runner. Errors:
// not_found; invalid_input if a file holds something else.
base::Expected<RunResults> load_run_results(const std::filesystem::path& path);

// Saves to a single file, whatever its name.
base::Status save_run_results(const std::filesystem::path& path, const RunResults& results);

}  // namespace assay::data
