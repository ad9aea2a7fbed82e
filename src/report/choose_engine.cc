// Three rules are tried in the order of the header; each returns an engine or nothing. The expected outputs are then
// those of another engine that ran, preferably one without programs: the user named it only to compare with.
#include "report/choose_engine.h"

#include <algorithm>
#include <vector>

#include "base/log.h"
#include "compare/compare_function.h"
#include "compare/compare_outputs.h"
#include "report/program_engines.h"

namespace assay::report {
namespace {

bool has_programs(const EngineRun& run) {
  return find_engine_parts(run.setup.spec.kind) != nullptr;
}

// Two settings of one engine share its name, so they are distinguished by their runners' names.
std::string name_of(const EngineRun& run, const EngineRun& other) {
  return run.setup.engine == other.setup.engine ? run.setup.runner : run.setup.engine;
}

bool differs(const tensor::NamedTensors& seen, const tensor::NamedTensors& expected,
             const compare::CompareOptions& tolerances) {
  compare::ComparePlan plan;
  plan.functions = {&compare::compare_function("simple")};
  plan.options = tolerances;
  base::SilentLog silent;
  return !compare::compare_outputs({"seen", seen}, {"expected", expected}, plan, silent);
}

// Returns the first other engine that ran, preferring one without programs. If several of those contradict each other,
// one of them is at fault: then one that agrees with the chosen engine.
std::optional<std::size_t> find_expected(std::span<const EngineRun> runs, std::size_t chosen,
                                         const compare::CompareOptions& tolerances) {
  std::optional<std::size_t> found;
  std::optional<std::size_t> judge;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (i == chosen || runs[i].outputs == nullptr) continue;
    if (!found) found = i;
    if (has_programs(runs[i])) continue;
    const tensor::NamedTensors* seen = runs[chosen].outputs;
    if (seen != nullptr && !differs(*seen, *runs[i].outputs, tolerances)) return i;
    if (!judge) judge = i;
  }
  return judge ? judge : found;
}

std::optional<EngineChoice> one_that_fails(std::span<const EngineRun> runs) {
  const auto ran = std::ranges::find_if(runs, [](const EngineRun& run) { return run.outputs != nullptr; });
  const auto failed = std::ranges::find_if(
      runs, [](const EngineRun& run) { return run.outputs == nullptr && !run.stopped && has_programs(run); });
  if (ran == runs.end() || failed == runs.end()) return std::nullopt;
  return EngineChoice{.engine = static_cast<std::size_t>(failed - runs.begin()),
                      .expected = {},
                      .why = "it fails on the model, and " + name_of(*ran, *failed) + " doesn't"};
}

std::optional<EngineChoice> one_that_differs(std::span<const EngineRun> runs, const tensor::NamedTensors& saved,
                                             const compare::CompareOptions& tolerances) {
  const auto judge =
      std::ranges::find_if(runs, [](const EngineRun& run) { return run.outputs != nullptr && !has_programs(run); });
  if (saved.empty() && judge == runs.end()) return std::nullopt;
  const tensor::NamedTensors& expected = saved.empty() ? *judge->outputs : saved;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!has_programs(runs[i]) || runs[i].outputs == nullptr) continue;
    if (!differs(*runs[i].outputs, expected, tolerances)) continue;
    return EngineChoice{.engine = i,
                        .expected = {},
                        .why = "its outputs differ from those of " +
                               (saved.empty() ? judge->setup.engine : std::string("the results that the check loads"))};
  }
  return std::nullopt;
}

std::optional<EngineChoice> one_of_the_table(std::span<const EngineRun> runs) {
  const std::span<const backend::EngineRow> rows = backend::engine_rows();
  for (std::size_t row = rows.size(); row-- > 0;) {
    const auto found = std::ranges::find_if(
        runs, [&](const EngineRun& run) { return has_programs(run) && run.setup.spec.kind == rows[row].kind; });
    if (found == runs.end()) continue;
    return EngineChoice{.engine = static_cast<std::size_t>(found - runs.begin()),
                        .expected = {},
                        .why = row == 0
                                   ? ""
                                   : "the check doesn't show which engine is at fault, and " +
                                         std::string(rows.front().name) + " is taken as the reference for the others"};
  }
  return std::nullopt;
}

}  // namespace

std::optional<EngineChoice> choose_engine(std::span<const EngineRun> runs, const tensor::NamedTensors& saved,
                                          const compare::CompareOptions& tolerances) {
  std::optional<EngineChoice> choice = one_that_fails(runs);
  if (!choice) choice = one_that_differs(runs, saved, tolerances);
  if (!choice) choice = one_of_the_table(runs);
  if (!choice) return std::nullopt;
  choice->expected = find_expected(runs, choice->engine, tolerances);
  if (std::ranges::count_if(runs, has_programs) < 2) choice->why.clear();
  const auto failed = std::ranges::find_if(
      runs, [](const EngineRun& run) { return run.outputs == nullptr && !run.stopped && !has_programs(run); });
  if (runs[choice->engine].outputs != nullptr && failed != runs.end()) choice->unreached = failed->setup.engine;
  return choice;
}

}  // namespace assay::report
