// A tensor is in memory several times at once: for each engine in its worker and in this process, and for each saved
// run. In sequential runs, this applies to each iteration. So the budget is divided by the number of copies before
// sizes are compared with it.
//
// Unless an engine needs the whole model (layer_engines.h), it gets one that returns only the window's tensors and
// contains only the nodes that they need. Engines with the same outputs share it. An engine without any tensor of the
// window gets no model, but keeps its place in the row, because neighbours in the row are compared.
#include "run/make_windows.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <numeric>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "base/list_first.h"
#include "model/graph_view.h"
#include "model/input_specs.h"
#include "run/engine_runner.h"
#include "run/idle_runner.h"
#include "run/marked_source.h"
#include "run/partner_outputs.h"
#include "run/saved_runner.h"
#include "run/window_sizes.h"

namespace assay::run {
namespace {

using Names = std::vector<std::string>;

constexpr std::uint64_t kEngineCopies = 2;                           // in the worker and in this process
constexpr std::size_t kMostListed = 16;                              // names in one log line
constexpr std::array kSaving = {"--save-engine", "--save-tactics"};  // what the user wants of the whole model

base::Expected<Names> stored_names(const StoredResults& saved) {
  Names names;
  if (saved.reader->iteration_count(saved.runner) == 0) return names;
  ASSAY_ASSIGN(const auto outputs, saved.reader->outputs(saved.runner, 0));
  for (const auto& output : outputs) names.push_back(output.name);
  return names;
}

void report_alone(Names alone, const std::string& name, base::Log& log) {
  if (alone.empty()) return;
  log.info("Only in {}: {}", name, base::list_first(std::move(alone), kMostListed, ", "));
}

// Reports the tensors of each engine that aren't compared, since neither neighbour in the row has them.
void report_alone(const LayerRun& run, base::Log& log) {
  const std::vector<LayerEngine>& engines = run.engines;
  const std::size_t compared_with_saved = run.saved.empty() ? 0 : 1;  // the last engine
  for (std::size_t i = 0; engines.size() > 1 && i + compared_with_saved < engines.size(); ++i) {
    std::unordered_set<std::string_view> others;
    if (i > 0) others.insert(engines[i - 1].tensors.begin(), engines[i - 1].tensors.end());
    if (i + 1 < engines.size()) others.insert(engines[i + 1].tensors.begin(), engines[i + 1].tensors.end());
    Names alone;
    std::ranges::copy_if(engines[i].tensors, std::back_inserter(alone),
                         [&](const std::string& tensor) { return !others.contains(tensor); });
    report_alone(std::move(alone), engines[i].setup.runner, log);
  }
}

// Adds runners that read the window's outputs from saved results. `first`: index of the first of them in the row.
void add_stored(const std::vector<StoredResults>& saved, const PartnerOutputs& partners, std::size_t first,
                const Names& tensors, bool whole, Windows::Runners& runners) {
  for (std::size_t i = 0; i < saved.size(); ++i) {
    std::optional<std::unordered_set<std::string>> wanted;
    if (!whole) wanted = partners.of(first + i, tensors);
    runners.push_back(std::make_unique<StoredRunner>(saved[i].reader, saved[i].runner, std::move(wanted)));
  }
}

// Returns those of `others` that are computed from `tensor`.
Names made_of(const model::Model& model, const std::string& tensor, const Names& others) {
  const model::GraphView view(model.graph());
  std::vector<bool> reached(static_cast<std::size_t>(view.tensor_count()));
  std::vector<model::TensorId> todo;
  const auto reach = [&](model::TensorId id) {
    if (id == model::kNone || reached[static_cast<std::size_t>(id)]) return;
    reached[static_cast<std::size_t>(id)] = true;
    todo.push_back(id);
  };
  reach(view.find(tensor));
  while (!todo.empty()) {
    const model::TensorId id = todo.back();
    todo.pop_back();
    for (const model::NodeId node : view.consumers(id)) {
      for (const model::TensorId output : view.outputs(node)) reach(output);
    }
  }
  Names found;
  for (const std::string& name : others) {
    const model::TensorId id = view.find(name);
    if (id != model::kNone && reached[static_cast<std::size_t>(id)]) found.push_back(name);
  }
  return found;
}

// Returns the tensors that are wanted, in their order.
Names keep_wanted(const Names& tensors, const std::unordered_set<std::string_view>& wanted) {
  Names found;
  std::ranges::copy_if(tensors, std::back_inserter(found),
                       [&](const std::string& tensor) { return wanted.contains(tensor); });
  return found;
}

// Returns the engines of a window.
base::Expected<Windows::Runners> engine_runners(const LayerRun& run, const OutputForecast& forecast,
                                                const Names& tensors, bool whole, worker::Pool& pool) {
  const std::unordered_set<std::string_view> wanted(tensors.begin(), tensors.end());
  const bool is_limited = std::ranges::any_of(
      run.engines, [](const LayerEngine& engine) { return engine.setup.limits.memory_bytes.has_value(); });
  std::map<Names, std::shared_ptr<const worker::ModelSource>> sources;  // by their outputs
  Windows::Runners runners;
  for (const LayerEngine& engine : run.engines) {
    const Names outputs = keep_wanted(engine.tensors, wanted);
    if (outputs.empty() && !tensors.empty()) {
      runners.push_back(std::make_unique<IdleRunner>(engine.setup.runner, model::input_specs(run.model)));
      continue;
    }
    EngineSetup setup = engine.setup;
    for (const char* option : kSaving) {
      if (!whole) setup.spec.options.erase(option);  // a part isn't what the user wants to save
    }
    if (run.whole != nullptr && (whole || engine.needs_whole_model)) {
      if (!whole) setup = returning(std::move(setup), outputs);
      runners.push_back(std::make_unique<EngineRunner>(std::move(setup), run.whole, pool));
      continue;
    }
    std::shared_ptr<const worker::ModelSource>& source = sources[outputs];
    if (source == nullptr) {
      ASSAY_ASSIGN(auto marked, whole ? marked_source(run.model, outputs) : needed_source(run.model, outputs));
      if (!is_limited) std::get<worker::ModelBytes>(marked).output_bytes = forecast.bytes(outputs);
      source = std::make_shared<const worker::ModelSource>(std::move(marked));
    }
    runners.push_back(std::make_unique<EngineRunner>(std::move(setup), source, pool));
  }
  return runners;
}

// Checks that neither an engine nor its tactics are to be saved. Each window builds its own engine, and none of them is
// that of the whole model.
base::Status check_nothing_is_saved(const LayerRun& run) {
  for (const LayerEngine& engine : run.engines) {
    for (const char* option : kSaving) {
      if (!engine.setup.spec.options.contains(option)) continue;
      return base::fail(base::ErrorKind::unsupported,
                        "the marked tensors exceed the memory budget, so each window builds an engine of its own",
                        option, "Raise --memory-budget, mark fewer tensors, or build the engine with `assay convert`");
    }
  }
  return {};
}

base::Expected<std::uint64_t> count_iterations(const RunPlan& plan, std::span<const tensor::TensorSpec> ports) {
  for (std::int64_t index = 0;; ++index) {
    ASSAY_ASSIGN(const auto inputs, plan.inputs(index, ports));
    if (!inputs) return static_cast<std::uint64_t>(index);
  }
}

}  // namespace

base::Expected<Windows> make_windows(const LayerRun& run, const RunPlan& plan, worker::Pool& pool, base::Log& log) {
  Windows windows;
  windows.tensors = all_tensors(run.engines);
  windows.budget = run.budget;
  windows.copies = kEngineCopies * run.engines.size() + run.saved.size();
  if (plan.sequential) {
    ASSAY_ASSIGN(const std::uint64_t iterations, count_iterations(plan, model::input_specs(run.model)));
    windows.copies *= std::max<std::uint64_t>(iterations, 1);
  }
  WindowSizes sizes = find_window_sizes(run, windows.tensors, plan, pool, run.budget / windows.copies, log);
  windows.bytes = std::move(sizes.bytes);

  // Saved results are compared with the last engine.
  std::vector<Names> names = {run.engines.back().tensors};
  for (const StoredResults& saved : run.saved) {
    ASSAY_ASSIGN(names.emplace_back(), stored_names(saved));
  }
  const PartnerOutputs partners(names);
  const std::uint64_t sum = std::accumulate(windows.bytes.begin(), windows.bytes.end(), std::uint64_t{0});
  if (sum > run.budget / windows.copies) {
    ASSAY_TRY(check_nothing_is_saved(run));
    report_alone(run, log);
    for (std::size_t i = 0; i < run.saved.size(); ++i) {
      report_alone(partners.alone(1 + i), run.saved[i].reader->runner_name(run.saved[i].runner), log);
    }
  }
  windows.runners = [run, partners, forecast = std::move(sizes.forecast), &pool](
                        const Names& tensors, bool whole) -> base::Expected<Windows::Runners> {
    ASSAY_ASSIGN(Windows::Runners runners, engine_runners(run, forecast, tensors, whole, pool));
    add_stored(run.saved, partners, 1, tensors, whole, runners);
    return runners;
  };
  windows.behind = [&model = run.model](const std::string& tensor, const Names& others) {
    return made_of(model, tensor, others);
  };
  return windows;
}

base::Expected<Windows> make_windows(const std::vector<StoredResults>& saved, std::uint64_t budget, base::Log& log) {
  Windows windows;
  windows.budget = budget;
  windows.copies = saved.size();
  std::vector<Names> names;
  bool same_each_time = true;
  for (const StoredResults& results : saved) {
    ASSAY_ASSIGN(names.emplace_back(), stored_names(results));
    for (std::size_t i = 0; i < results.reader->iteration_count(results.runner); ++i) {
      ASSAY_ASSIGN(const auto outputs, results.reader->outputs(results.runner, i));
      same_each_time &= std::ranges::equal(outputs, names.back(), {}, &data::ResultsDocument::StoredOutput::name);
      if (&results != &saved.front()) continue;
      windows.bytes.resize(outputs.size());
      for (std::size_t k = 0; k < outputs.size(); ++k) {
        windows.bytes[k] = std::max(windows.bytes[k], outputs[k].bytes);
      }
    }
  }
  windows.tensors = names.front();
  // Outputs that differ between iterations can't be assigned to windows by name.
  if (!same_each_time || windows.tensors.empty()) windows.bytes.assign(windows.tensors.size(), 0);
  const PartnerOutputs partners(names);
  const std::uint64_t sum = std::accumulate(windows.bytes.begin(), windows.bytes.end(), std::uint64_t{0});
  for (std::size_t i = 0; i < saved.size() && sum > budget / windows.copies; ++i) {
    report_alone(partners.alone(i), saved[i].reader->runner_name(saved[i].runner), log);
  }
  windows.runners = [saved, partners](const Names& tensors, bool whole) -> base::Expected<Windows::Runners> {
    Windows::Runners runners;
    add_stored(saved, partners, 0, tensors, whole, runners);
    return runners;
  };
  return windows;
}

}  // namespace assay::run
