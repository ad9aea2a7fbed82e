#include "report/run_repro_plan.h"

#include <fmt/format.h>

#include <optional>
#include <utility>
#include <variant>

#include "report/choose_engine.h"
#include "worker/is_tensor.h"
#include "worker/models/model_source.h"

namespace assay::report {
namespace {

constexpr double kMostSeconds = 60;  // for an engine without a time limit: it may hang

struct EngineResult {
  std::optional<tensor::NamedTensors> outputs{};  // absent: it failed, or was stopped
  bool stopped = false;                           // as EngineRun::stopped
};

EngineResult run_engine(const run::EngineSetup& setup, const worker::ModelSource& source,
                        const tensor::NamedTensors& inputs, worker::Pool& pool) {
  const auto ending = [&](const worker::Failure& failure) {
    return EngineResult{.stopped = !setup.limits.time_s && std::holds_alternative<worker::TimedOut>(failure)};
  };
  worker::Limits limits = setup.limits;
  if (!limits.time_s) limits.time_s = kMostSeconds;
  const auto session = pool.load(setup.spec, source, limits);
  if (!session) return ending(session.error());
  tensor::NamedTensors feeds;
  for (const worker::Port& port : (*session)->info().inputs) {
    if (const tensor::Tensor* value = inputs.find(port.name)) feeds.set(port.name, *value);
  }
  const auto result = (*session)->infer(feeds, worker::tensor_outputs((*session)->info()), limits);
  if (!result) return ending(result.error());
  return {.outputs = result->outputs};
}

// Chooses the engine of the programs and, if the check loads no results, the one whose outputs are expected.
void choose(ReproPlan& plan, const std::vector<EngineResult>& results, worker::Pool& pool, ReproInput& input) {
  std::vector<EngineRun> runs;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const EngineResult& result = results[i];
    runs.push_back(
        {.setup = plan.engines[i], .outputs = result.outputs ? &*result.outputs : nullptr, .stopped = result.stopped});
  }
  const auto choice = choose_engine(runs, plan.expected, plan.tolerances);
  if (!choice) return;
  if (plan.expected.empty() && choice->expected) {
    const run::EngineSetup& other = plan.engines[*choice->expected];
    plan.expected = *results[*choice->expected].outputs;
    plan.expected_from =
        fmt::format("the outputs of the check's other engine, {} {}. If these are wrong, that engine is at fault",
                    other.engine, version_text(other, pool));
  }
  const run::EngineSetup& chosen = plan.engines[choice->engine];
  input.engine = {
      .kind = chosen.spec.kind, .options = chosen.spec.options, .why = choice->why, .unreached = choice->unreached};
  input.seen = results[choice->engine].outputs.value_or(tensor::NamedTensors{});
}

}  // namespace

std::string version_text(const run::EngineSetup& setup, worker::Pool& pool) {
  const auto version = pool.engine_version(setup.spec, {.time_s = kMostSeconds, .memory_bytes = {}});
  return fmt::format("{} ({})", version.value_or("doesn't start"), setup.spec.library.filename().string());
}

base::Status run_plan(ReproPlan plan, worker::Pool& pool, ReproInput& input) {
  ASSAY_ASSIGN(const worker::ModelSource source, worker::model_source(input.model));
  std::vector<EngineResult> results;
  for (const run::EngineSetup& setup : plan.engines) results.push_back(run_engine(setup, source, plan.inputs, pool));
  choose(plan, results, pool, input);
  for (const run::EngineSetup& setup : plan.engines) {
    input.versions.emplace_back(setup.engine, version_text(setup, pool));
  }
  input.check_is_known = plan.check_is_known;
  input.validate = plan.validate;
  input.inputs = std::move(plan.inputs);
  input.inputs_from = std::move(plan.inputs_from);
  input.expected = std::move(plan.expected);
  input.expected_from = std::move(plan.expected_from);
  input.absolute = plan.tolerances.by_output(compare::kAbsoluteTolerance);
  input.relative = plan.tolerances.by_output(compare::kRelativeTolerance);
  input.equal = plan.tolerances.equal;
  return {};
}

}  // namespace assay::report
