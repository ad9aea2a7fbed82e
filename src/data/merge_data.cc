#include "data/merge_data.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "base/counted.h"
#include "base/strings.h"
#include "data/inputs_file.h"
#include "data/saved_data.h"

namespace assay::data {
namespace {

namespace fs = std::filesystem;
using base::ErrorKind;
using base::fail;
using tensor::NamedTensors;
using Iterations = std::vector<NamedTensors>;

Iterations outputs_of(const RunnerResults& runner) {
  Iterations iterations;
  for (const IterationResult& result : runner.iterations) iterations.push_back(result.outputs);
  return iterations;
}

// Adds the arrays of iterations to those already merged. Warns about each replaced name once.
void merge_iterations(Iterations& merged, const Iterations& more, const fs::path& path, base::Log& log) {
  if (!merged.empty() && merged.size() != more.size()) {
    log.warning("'{}' has {}, but the files before it have {}; some iterations will lack arrays", path.string(),
                base::counted(std::ssize(more), "iteration"), merged.size());
  }
  std::set<std::string> replaced;
  merged.resize(std::max(merged.size(), more.size()));
  for (std::size_t i = 0; i < more.size(); ++i) {
    for (const auto& [name, value] : more[i]) {
      if (merged[i].contains(name)) replaced.insert(name);
      merged[i].set(name, value);
    }
  }
  for (const std::string& name : replaced) {
    log.warning(
        "'{}' occurs again in '{}' and replaces the earlier array; to join iterations end to end, use `data concat`",
        name, path.string());
  }
}

std::set<std::string> names_of(const NamedTensors& iteration) {
  const auto names = iteration.names();
  return {names.begin(), names.end()};
}

void append(Iterations& all, Iterations more, const fs::path& path, base::Log& log) {
  for (std::size_t i = 0; i < more.size(); ++i) {
    if (!all.empty() && names_of(more[i]) != names_of(all.front())) {
      log.warning("Iteration {} of '{}' has different arrays than the first: {} instead of {}", i, path.string(),
                  base::join(more[i].names(), ", "), base::join(all.front().names(), ", "));
    }
    all.push_back(std::move(more[i]));
  }
}

void append(RunResults& all, RunResults more) {
  for (RunnerResults& runner : more.runners) {
    auto& iterations = all.runner(runner.runner).iterations;
    std::ranges::move(runner.iterations, std::back_inserter(iterations));
  }
}

// Loads inputs or outputs, depending on what the file holds.
base::Expected<Data> load_data(const fs::path& path) {
  ASSAY_ASSIGN(const std::string type, saved_class(path));
  if (type == "RunResults") {
    ASSAY_ASSIGN(RunResults results, load_run_results(path));
    return Data(std::move(results));
  }
  ASSAY_ASSIGN(Iterations inputs, load_inputs(path));
  return Data(std::move(inputs));
}

}  // namespace

base::Expected<Iterations> merge_data(const std::vector<fs::path>& paths, base::Log& log) {
  Iterations merged;
  for (const fs::path& path : paths) {
    ASSAY_ASSIGN(const Data data, load_data(path));
    if (const auto* inputs = std::get_if<Iterations>(&data)) {
      merge_iterations(merged, *inputs, path, log);
    } else {
      for (const RunnerResults& runner : std::get<RunResults>(data).runners) {
        merge_iterations(merged, outputs_of(runner), path, log);
      }
    }
  }
  if (merged.empty()) {
    std::vector<std::string> names;
    for (const fs::path& path : paths) names.push_back(path.string());
    log.warning("No iteration was found in: {}", base::join(names, ", "));
  }
  return merged;
}

base::Expected<Data> concat_data(const std::vector<fs::path>& paths, base::Log& log) {
  std::optional<Data> all;
  for (const fs::path& path : paths) {
    ASSAY_ASSIGN(Data data, load_data(path));
    if (all && all->index() != data.index()) {
      return fail(ErrorKind::invalid_input, "inputs and outputs cannot be joined end to end", path.string(),
                  "Use files of one kind, or convert the outputs to inputs with `data merge`");
    }
    if (!all) all = std::holds_alternative<Iterations>(data) ? Data(Iterations()) : Data(RunResults());
    if (auto* inputs = std::get_if<Iterations>(&*all)) {
      append(*inputs, std::get<Iterations>(std::move(data)), path, log);
    } else {
      append(std::get<RunResults>(*all), std::get<RunResults>(std::move(data)));
    }
  }
  return all.value_or(Iterations());
}

base::Status save_data(const fs::path& path, const Data& data) {
  if (const auto* inputs = std::get_if<Iterations>(&data)) return save_inputs(path, *inputs);
  return save_run_results(path, std::get<RunResults>(data));
}

}  // namespace assay::data
