#include "diagnose/trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <limits>
#include <variant>

#include "base/counted.h"
#include "base/seconds.h"
#include "base/shorten_middle.h"
#include "data/fit_inputs.h"
#include "locate/sides/judge.h"
#include "run/declared_types.h"
#include "worker/is_tensor.h"
#include "worker/telling_line.h"

namespace assay::diagnose {
namespace {

constexpr std::array kPhases = {"start", "load", "load", "run"};  // by worker::Phase; building belongs to loading

using Clock = std::chrono::steady_clock;

bool was_stopped(const worker::Failure& failure) {
  return std::holds_alternative<worker::Stopped>(failure);
}

void fail_in(Trial& trial, const worker::Failure& failure, const char* otherwise) {
  const auto* failed = std::get_if<worker::Failed>(&failure);
  trial.phase = failed == nullptr ? otherwise : kPhases.at(static_cast<std::size_t>(failed->phase));
  trial.failure = failed == nullptr ? worker::describe(failure) : failed->message;
  if (const auto* crashed = std::get_if<worker::Crashed>(&failure)) trial.signal = crashed->signal;
  if (const auto* timed_out = std::get_if<worker::TimedOut>(&failure)) trial.hung_s = timed_out->limit_s;
}

std::vector<tensor::TensorSpec> specs_of(const worker::SessionInfo& info) {
  std::vector<tensor::TensorSpec> specs;
  for (const worker::Port& port : info.inputs) specs.push_back({port.name, port.type, port.shape});
  return specs;
}

base::Status run_session(worker::Session& session, const run::EngineSetup& engine, const TensorsByIteration& inputs,
                         int repeats, Trial& trial, base::Log& log) {
  const std::vector<tensor::TensorSpec> specs = specs_of(session.info());
  const std::vector<std::string> wanted = worker::tensor_outputs(session.info());
  run::DeclaredTypes types;
  for (const tensor::NamedTensors& feeds : inputs) {
    ASSAY_ASSIGN(const tensor::NamedTensors fitted, data::fit_inputs(feeds, specs, log));
    for (int i = 0; i < repeats; ++i) {
      const Clock::time_point start = Clock::now();
      auto result = session.infer(fitted, wanted, engine.limits);
      if (!result && was_stopped(result.error())) {
        return base::fail(worker::to_error(result.error(), engine.engine));
      }
      if (!result) {
        fail_in(trial, result.error(), "run");
        trial.run_s += base::seconds_since(start);
        return {};
      }
      if (run::returns_declared_types(engine.spec)) {
        ASSAY_TRY(types.convert(result->outputs, session.info().outputs, engine.runner, log));
      }
      trial.run_s += result->runtime_s;
      trial.outputs.push_back(std::move(result->outputs));
    }
  }
  return {};
}

std::string describe(const std::string& output, const locate::Divergence& divergence) {
  if (!divergence.measured) return fmt::format("output '{}' differs: {}", output, divergence.why);
  const stats::ErrorSummary& error = divergence.error;
  std::string size;
  if (error.absolute.max > 0) size = fmt::format(" by up to {:.3g}", error.absolute.max);
  if (error.nan.mismatched > 0) {
    size += fmt::format("{} {} that {} NaN on one side only", size.empty() ? " in" : " and in",
                        base::counted(error.nan.mismatched, "element"), error.nan.mismatched == 1 ? "is" : "are");
  }
  return fmt::format("output '{}' differs{} ({} of {} elements beyond the tolerances)", output, size, error.beyond,
                     error.elements);
}

}  // namespace

base::Expected<Trial> try_engine(const run::EngineSetup& engine, const worker::ModelSource& model,
                                 const TensorsByIteration& inputs, worker::Pool& pool, base::Log& log,
                                 const TrialOptions& options) {
  log.info("{} runs the model", engine.runner);
  Trial trial;
  const Clock::time_point start = Clock::now();
  auto session = pool.load(engine.spec, model, engine.limits);
  if (!session) {
    if (was_stopped(session.error())) return base::fail(worker::to_error(session.error(), engine.engine));
    fail_in(trial, session.error(), "load");
    trial.load_s = base::seconds_since(start);
    if (auto version = pool.engine_version(engine.spec, engine.limits)) trial.version = *version;
    return trial;
  }
  trial.version = (*session)->info().engine_version;
  trial.reduced_precision = (*session)->info().reduced_precision;
  trial.load_s = (*session)->info().load_s;
  ASSAY_TRY(run_session(**session, engine, inputs, options.repeats, trial, log));
  return trial;
}

base::Expected<Trial> try_engine(const run::EngineSetup& engine, const Case& task, const StepContext& context,
                                 const TrialOptions& options) {
  return try_engine(engine, task.source, task.inputs, context.pool, context.log, options);
}

std::string in_few_words(const Trial& failed) {
  if (failed.hung_s > 0) {
    return fmt::format("it had not {} the model after {:g} s", failed.phase == "run" ? "run" : "loaded", failed.hung_s);
  }
  constexpr std::size_t kShown = 300;  // characters
  std::string message = base::shorten_middle(worker::telling_line(failed.failure), kShown);
  if (failed.signal != 0 && failed.signal != SIGABRT) message.resize(std::min(message.size(), message.find(": ")));
  return message;
}

double largest_error(const stats::ErrorSummary& error) {
  const bool are_strings = error.beyond > 0 && error.absolute.max == 0;  // of which no distance is measured
  return error.undefined > 0 || are_strings ? std::numeric_limits<double>::infinity() : error.absolute.max;
}

Comparison compare(const TensorsByIteration& first, const TensorsByIteration& second,
                   const compare::ComparePlan& plan) {
  Comparison result;
  for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i) {
    for (const auto& [name, tensor] : first[i]) {
      const tensor::Tensor* other = second[i].find(name);
      if (other == nullptr) continue;
      ++result.outputs;
      const locate::Divergence divergence = locate::judge(name, tensor, *other, plan);
      if (divergence.measured) result.absolute = std::max(result.absolute, largest_error(divergence.error));
      // If the shape or type differs, nothing is farther away.
      if (!divergence.measured && divergence.differs) result.absolute = std::numeric_limits<double>::infinity();
      if (!divergence.differs || !result.agrees) continue;
      result.agrees = false;
      result.output = name;
      result.text = describe(name, divergence);
    }
  }
  return result;
}

}  // namespace assay::diagnose
