// What engines answered, in the peer's form (RunResults): for each runner in running order, its iterations.
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

  // The results of this runner, added at the end where there are none yet.
  RunnerResults& runner(std::string_view name);
};

// "onnxrt-runner-N0-11/21/26-02:35:21", in local time.
std::string make_runner_name(std::string_view kind, int index, std::chrono::system_clock::time_point now);

// A file, or a folder whose files hold an iteration each; the iterations of all files are joined by runner.
// Errors: not_found; invalid_input where a file holds something else.
base::Expected<RunResults> load_run_results(const std::filesystem::path& path);

// A single file, whatever its name.
base::Status save_run_results(const std::filesystem::path& path, const RunResults& results);

}  // namespace assay::data
