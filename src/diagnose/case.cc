#include "diagnose/case.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>

#include "base/seconds.h"
#include "model/serialize.h"
#include "run/is_reference.h"

namespace assay::diagnose {
namespace {

// An engine that has just been started may need some seconds for that alone: Python imports its packages.
constexpr double kLeastSeconds = 3;

}  // namespace

bool is_reference(const Side& side) {
  return run::is_reference(side.setup.spec);
}

const run::EngineSetup* reference_of(const Case& task) {
  const auto side = std::ranges::find_if(task.sides, is_reference);
  return side == task.sides.end() ? nullptr : &side->setup;
}

run::EngineSetup with_options(run::EngineSetup setup, const std::map<std::string, std::string>& options) {
  for (const auto& [key, value] : options) setup.spec.options[key] = value;
  return setup;
}

run::EngineSetup in_float64(const run::EngineSetup& reference) {
  run::EngineSetup exact = with_options(reference, {{"module", "reference_float64"}});
  exact.runner = "reference in float64";
  return exact;
}

std::map<std::string, std::string> options_for(const run::EngineSetup& setup,
                                               backend::EngineOption backend::EngineRow::*purpose) {
  std::map<std::string, std::string> options;
  if (const auto* row = backend::find_engine_row(setup.spec.kind)) (row->*purpose).set_in(options);
  return options;
}

data::InputsByIteration Case::inputs_by_iteration() const {
  return [this](std::int64_t index, auto) -> base::Expected<std::optional<tensor::NamedTensors>> {
    if (index >= std::ssize(inputs)) return std::nullopt;
    return inputs[static_cast<std::size_t>(index)];
  };
}

bool Case::is_large() const {
  constexpr std::uint64_t kLarge = std::uint64_t{1} << 30;
  const auto bytes = model::inline_bytes(model);
  return bytes && *bytes > kLarge;
}

std::vector<tensor::NamedTensors> Case::golden_outputs() const {
  std::vector<tensor::NamedTensors> outputs;
  for (const data::IterationResult& iteration : golden_results->iterations) outputs.push_back(iteration.outputs);
  return outputs;
}

run::EngineSetup StepContext::limited(run::EngineSetup engine, double part) const {
  if (seconds <= 0 || engine.limits.time_s) return engine;
  const double left = seconds - base::seconds_since(begin);
  const double limit = std::floor(std::max(kLeastSeconds, part * left) * 10) / 10;  // as people read it
  if (2 * limit <= left) engine.limits.time_s = limit;                              // for loading, and for the run
  return engine;
}

}  // namespace assay::diagnose
