// A tensor is in memory several times at once: for each engine in its worker and in this process, and for each saved
// run. In sequential runs, all iterations of the engines are. So the budget is divided by the number of copies before
// sizes are compared with it.
//
// Windows contain all outputs, also those of saved results that are compared with other saved results or with none: the
// verdict must not depend on the budget, and outputs without a partner are validated, too.
//
// Unless an engine needs the whole model (layer_engines.h), it gets one that returns only the window's tensors and
// contains only the nodes that they need. Engines with the same outputs share it. An engine without any tensor of the
// window gets no model, but keeps its place in the row, because neighbours in the row are compared.
#include "run/make_windows.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <unordered_set>
#include <utility>

#include "base/at.h"
#include "model/dependencies.h"
#include "model/input_specs.h"
#include "run/engine_runner.h"
#include "run/idle_runner.h"
#include "run/marked_source.h"
#include "run/partners_by_iteration.h"
#include "run/saved_runner.h"
#include "run/tensorrt_settings.h"
#include "run/window_sizes.h"

namespace assay::run {
namespace {

using Names = std::vector<std::string>;

constexpr std::uint64_t kEngineCopies = 2;  // in the worker and in this process

using Bytes = BytesByGroup;  // also by tensor

// Adds runners that read the window's outputs from saved results. `first`: index of the first of them in the row.
void add_stored(const std::vector<StoredResults>& saved, const std::shared_ptr<const PartnersByIteration>& partners,
                std::size_t first, const Window& window, Windows::Runners& runners) {
  for (std::size_t i = 0; i < saved.size(); ++i) {
    std::function<std::unordered_set<std::string>(std::int64_t)> wanted;
    if (!window.whole) {
      wanted = [partners, run = first + i, tensors = window.tensors](std::int64_t iteration) {
        return partners->at(iteration).of(run, tensors);
      };
    }
    runners.push_back(std::make_unique<StoredRunner>(saved[i].reader, saved[i].runner, std::move(wanted)));
  }
}

// Fills in what windows need to know of partners.
void set_partners(const std::shared_ptr<const PartnersByIteration>& partners, Windows& windows) {
  windows.tensors = partners->groups();
  windows.matcher = [partners](std::size_t runner, std::int64_t iteration) -> const std::vector<compare::OutputMatch>& {
    return partners->at(iteration).matches(runner);
  };
}

// Sets the sizes of the groups that engines compute: each has that of its largest tensor, regardless of the saved
// results in it. Returns these groups. `computed`: sizes by tensor.
std::unordered_set<std::string> set_engine_bytes(const std::vector<LayerEngine>& engines,
                                                 const PartnerOutputs& partners, const Bytes& computed, Bytes& bytes) {
  std::unordered_set<std::string> groups;
  for (std::size_t i = 0; i < engines.size(); ++i) {
    for (const std::string& tensor : engines[i].tensors) {
      const std::string& group = partners.group(i, tensor);
      const bool is_first = groups.insert(group).second;
      bytes[group] = std::max(is_first ? 0 : bytes[group], computed.at(tensor));
    }
  }
  return groups;
}

std::vector<Names> tensors_of(const std::vector<LayerEngine>& engines) {
  std::vector<Names> tensors;
  for (const LayerEngine& engine : engines) tensors.push_back(engine.tensors);
  return tensors;
}

bool exceed_budget(const Windows& windows) {
  const std::uint64_t sum = std::accumulate(windows.bytes.begin(), windows.bytes.end(), std::uint64_t{0});
  return sum > windows.budget / windows.copies;
}

// Returns those of `others` that are computed from `tensor`.
Names made_of(const model::Model& model, const std::string& tensor, const Names& others) {
  const model::GraphView view(model.graph());
  const std::vector<bool> computed = model::computed_from(view, {view.find(tensor)});
  Names found;
  for (const std::string& name : others) {
    const model::TensorId id = view.find(name);
    if (id != model::kNone && computed[base::at(id)]) found.push_back(name);
  }
  return found;
}

// Returns the tensors that are wanted, in their order.
Names keep_wanted(const Names& tensors, const std::unordered_set<std::string>& wanted) {
  Names found;
  std::ranges::copy_if(tensors, std::back_inserter(found),
                       [&](const std::string& tensor) { return wanted.contains(tensor); });
  return found;
}

// Returns the engines of a window.
base::Expected<Windows::Runners> engine_runners(const LayerRun& run, const PartnerOutputs& partners,
                                                const OutputForecast& forecast, const Window& window,
                                                worker::Pool& pool) {
  const bool is_limited = std::ranges::any_of(
      run.engines, [](const LayerEngine& engine) { return engine.setup.limits.memory_bytes.has_value(); });
  std::map<Names, std::shared_ptr<const worker::ModelSource>> sources;  // by their outputs
  Windows::Runners runners;
  for (std::size_t i = 0; i < run.engines.size(); ++i) {
    const LayerEngine& engine = run.engines[i];
    const Names outputs = keep_wanted(engine.tensors, partners.of(i, window.tensors));
    if (outputs.empty() && !window.tensors.empty()) {
      runners.push_back(std::make_unique<IdleRunner>(engine.setup.runner, model::input_specs(run.model)));
      continue;
    }
    EngineSetup setup = window.whole ? engine.setup : without_saving(engine.setup);
    if (run.whole != nullptr && (window.whole || engine.needs_whole_model)) {
      if (!window.whole) setup = returning(std::move(setup), outputs);
      runners.push_back(std::make_unique<EngineRunner>(std::move(setup), run.whole, pool));
      continue;
    }
    std::shared_ptr<const worker::ModelSource>& source = sources[outputs];
    if (source == nullptr) {
      ASSAY_ASSIGN(auto marked, window.whole ? marked_source(run.model, outputs) : needed_source(run.model, outputs));
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
  windows.budget = run.budget;
  windows.copies = kEngineCopies * run.engines.size();
  if (plan.sequential) {
    ASSAY_ASSIGN(const std::uint64_t iterations, count_iterations(plan, model::input_specs(run.model)));
    windows.copies *= std::max<std::uint64_t>(iterations, 1);
  }
  windows.copies += run.saved.size();
  const Names computed = all_tensors(run.engines);
  WindowSizes sizes = find_window_sizes(run, computed, plan, pool, run.budget / windows.copies, log);

  Bytes bytes;
  ASSAY_ASSIGN(PartnersByIteration found, find_partners(tensors_of(run.engines), run.saved, bytes));
  const auto partners = std::make_shared<const PartnersByIteration>(std::move(found));
  set_partners(partners, windows);
  windows.always_uses_matcher = std::ranges::any_of(run.engines, &LayerEngine::needs_whole_model);
  Bytes computed_bytes;
  for (std::size_t i = 0; i < computed.size(); ++i) computed_bytes.emplace(computed[i], sizes.bytes[i]);
  const std::unordered_set<std::string> of_engines =
      set_engine_bytes(run.engines, partners->at(0), computed_bytes, bytes);
  for (const std::string& tensor : windows.tensors) {
    windows.bytes.push_back(bytes.at(tensor));
    if (!of_engines.contains(tensor)) windows.only_saved.insert(tensor);
  }
  if (exceed_budget(windows)) {
    ASSAY_TRY(check_nothing_is_saved(run));
    Names runners;
    for (const LayerEngine& engine : run.engines) runners.push_back(engine.setup.runner);
    for (const StoredResults& results : run.saved) runners.push_back(results.reader->runner_name(results.runner));
    report_alone(partners->at(0), runners, log);
  }
  windows.runners = [run, partners, forecast = std::move(sizes.forecast),
                     &pool](const Window& window) -> base::Expected<Windows::Runners> {
    ASSAY_ASSIGN(Windows::Runners runners, engine_runners(run, partners->at(0), forecast, window, pool));
    add_stored(run.saved, partners, run.engines.size(), window, runners);
    return runners;
  };
  windows.behind = [&model = run.model, only_saved = windows.only_saved](const std::string& tensor, Names others) {
    std::erase_if(others, [&](const std::string& other) { return only_saved.contains(other); });
    return made_of(model, tensor, others);
  };
  return windows;
}

base::Expected<Windows> make_windows(const std::vector<StoredResults>& saved, std::uint64_t budget, base::Log& log) {
  Windows windows;
  windows.budget = budget;
  windows.copies = saved.size();
  Bytes bytes;
  ASSAY_ASSIGN(PartnersByIteration found, find_partners({}, saved, bytes));
  const auto partners = std::make_shared<const PartnersByIteration>(std::move(found));
  set_partners(partners, windows);
  for (const std::string& tensor : windows.tensors) windows.bytes.push_back(bytes.at(tensor));
  if (exceed_budget(windows)) {
    Names runners;
    for (const StoredResults& results : saved) runners.push_back(results.reader->runner_name(results.runner));
    report_alone(partners->at(0), runners, log);
  }
  windows.runners = [saved, partners](const Window& window) -> base::Expected<Windows::Runners> {
    Windows::Runners runners;
    add_stored(saved, partners, 0, window, runners);
    return runners;
  };
  return windows;
}

}  // namespace assay::run
