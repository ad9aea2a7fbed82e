#include "blame/output_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <utility>

#include "base/counted.h"
#include "base/seconds.h"
#include "base/strings.h"
#include "compare/layer_table.h"
#include "run/saved_runner.h"
#include "stats/equal_specials.h"

namespace assay::blame {
namespace {

constexpr std::size_t kMostNamed = 3;  // outputs

// Shows the messages of a run as verbose ones: a tool that runs a model many times reports one line for each run.
class QuietLog final : public base::Log {
 public:
  explicit QuietLog(base::Log& log) : log_(log) {}
  [[nodiscard]] bool shows(base::Level level) const override { return log_.shows(std::min(level, kMost)); }
  void write(base::Level level, std::string_view message) override { log_.write(std::min(level, kMost), message); }

 private:
  static constexpr base::Level kMost = base::Level::verbose;
  base::Log& log_;
};

std::string describe(const compare::LayerTable& table) {
  std::vector<std::string> names;
  std::size_t outputs = 0;
  double worst = 0;
  double norm = 0;
  for (const compare::LayerPair& pair : table.layers(nullptr)) {
    for (const compare::ComparedLayer& layer : pair.layers) {
      ++outputs;
      if (layer.errors.agrees) continue;
      names.push_back("'" + layer.tensor + "'");
      worst = std::max(worst, layer.errors.absolute);
      norm = std::max(norm, layer.errors.norm);
    }
  }
  if (names.empty()) return "outputs differ";
  const std::size_t count = names.size();
  if (count > kMostNamed) {
    names.resize(kMostNamed);
    names.push_back("...");
  }
  return fmt::format("{} of {} differ{}: {}; largest error {:.6g}, {:.3g} of the norm", count,
                     base::counted(outputs, "output"), count == 1 ? "s" : "", base::join(names, ", "), worst, norm);
}

std::optional<double> largest_error(const compare::LayerTable& table) {
  std::optional<double> largest;
  for (const compare::LayerPair& pair : table.layers(nullptr)) {
    for (const compare::ComparedLayer& layer : pair.layers) {
      const double error = std::isfinite(layer.errors.norm) ? layer.errors.norm : kNotComparable;
      largest = std::max(largest.value_or(0), error);
    }
  }
  return largest;
}

}  // namespace

OutputJudge::OutputJudge(data::RunnerResults reference, Setting setting)
    : setting_(std::move(setting)),
      inputs_(std::make_shared<std::vector<tensor::NamedTensors>>()),
      reference_(std::move(reference)) {
  setting_.plan.inputs =
      [inputs = inputs_, source = std::move(setting_.plan.inputs)](
          std::int64_t index,
          std::span<const tensor::TensorSpec> ports) -> base::Expected<std::optional<tensor::NamedTensors>> {
    const auto at = static_cast<std::size_t>(index);
    if (at < inputs->size()) return (*inputs)[at];
    ASSAY_ASSIGN(auto made, source(index, ports));
    if (made) inputs->push_back(*made);
    return made;
  };
  // Masks of attention hold infinities. NaN in the same places shows neither chance nor a setting.
  setting_.plan.compare.options.equal = stats::EqualSpecials::both();
  setting_.plan.ends_before = {};
  setting_.plan.save_inputs = {};
  setting_.plan.save_outputs = {};
}

OutputJudge OutputJudge::make(data::RunnerResults reference, Setting setting) {
  return {std::move(reference), std::move(setting)};
}

base::Expected<OutputJudge> OutputJudge::make(const run::EngineSetup& reference, const worker::ModelSource& model,
                                              Setting setting) {
  OutputJudge judge({.runner = reference.runner, .iterations = {}}, std::move(setting));
  run::RunPlan plan = judge.setting_.plan;
  plan.save_outputs = [&](std::int64_t, const std::vector<data::IterationResult>& results, bool) -> base::Status {
    judge.reference_.iterations.push_back(results.front());
    return {};
  };
  std::vector<std::unique_ptr<run::Runner>> runners;
  runners.push_back(std::make_unique<run::EngineRunner>(reference, model, judge.setting_.pool));
  QuietLog quiet(judge.setting_.log);
  ASSAY_TRY(run::run_and_compare(runners, plan, quiet, judge.setting_.stop));
  ASSAY_ASSIGN(const Agreement again, judge.judge(reference, model));
  if (again.agrees) return judge;
  return base::fail(base::ErrorKind::unsupported,
                    "a second run with the same inputs does not return the same outputs: " + again.text,
                    reference.runner,
                    "Fix the random seed of the model's operators, or allow the differences with --rtol and --atol");
}

base::Expected<Agreement> OutputJudge::judge(const run::EngineSetup& engine, const worker::ModelSource& model) const {
  compare::LayerTable table;
  run::RunPlan plan = setting_.plan;
  plan.watch = [&](std::size_t pair, const data::IterationResult& first, const data::IterationResult& second,
                   const compare::IterationJudgement& judgement) { table.add(pair, first, second, judgement); };
  run::EngineSetup trial = engine;
  trial.runner += " (trial)";
  std::vector<std::unique_ptr<run::Runner>> runners;
  runners.push_back(std::make_unique<run::EngineRunner>(std::move(trial), model, setting_.pool));
  runners.push_back(std::make_unique<run::SavedRunner>(reference_));
  QuietLog quiet(setting_.log);
  const auto start = std::chrono::steady_clock::now();
  auto agrees = run::run_and_compare(runners, plan, quiet, setting_.stop);
  const double seconds = base::seconds_since(start);
  if (!agrees) {
    if (agrees.error().kind != base::ErrorKind::engine || setting_.stop.requested()) {
      return base::fail(std::move(agrees).error());
    }
    return Agreement{.agrees = false, .text = agrees.error().message(), .seconds = seconds, .error = kNotComparable};
  }
  return Agreement{.agrees = *agrees,
                   .text = *agrees ? "outputs agree" : describe(table),
                   .seconds = seconds,
                   .error = largest_error(table)};
}

const tensor::NamedTensors& OutputJudge::first_inputs() const {
  static const tensor::NamedTensors none;
  return inputs_->empty() ? none : inputs_->front();
}

}  // namespace assay::blame
