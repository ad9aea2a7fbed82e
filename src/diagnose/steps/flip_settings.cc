// Which setting matters? Changes one setting of the engine at fault at a time: optimisations, threads, precision, and
// the installed versions of its library. Each change runs three times, because a result that varies by itself proves
// nothing. If it helps to switch optimisations off, the search for the single optimizer or property follows.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <memory>

#include "backend/engine_table.h"
#include "base/strings.h"
#include "blame/find_properties.h"
#include "blame/onnxruntime_probe.h"
#include "diagnose/commands.h"
#include "diagnose/steps.h"
#include "diagnose/trial.h"

namespace assay::diagnose {
namespace {

using report::Mark;
using Options = std::map<std::string, std::string>;

constexpr int kTimes = 3;
constexpr const char* kOnnxRuntime = "onnxruntime";
constexpr const char* kOpenVino = "openvino";
constexpr const char* kLevel = "graph_optimization_level";

struct Flip {
  std::string what;  // continues "unless ": "all optimisations are disabled"
  run::EngineSetup engine;
  Options options{};      // that were changed
  bool is_plain = false;  // the engine with all settings at their careful values
  int good = 0;           // of kTimes
  std::string seen{};     // how the last bad run ended
};

class Flips {
 public:
  Flips(const Case& task, Facts& facts, StepContext& context)
      : task_(task), facts_(facts), context_(context), engine_(task.sides.at(facts.faulty_side).setup) {
    // Each setting would hang in turn.
    if (facts.hung_s > 0 && !engine_.limits.time_s) engine_.limits.time_s = facts.hung_s;
  }

  base::Expected<report::PageStep> run();

 private:
  // Adds a flip, unless the engine has these options already or another flip sets the same ones.
  void add(std::string what, const Options& options, bool is_plain = false);
  base::Status list();
  base::Status find_good_outputs();
  base::Expected<std::string> failure_of(const Flip& flip);
  // Runs the flip up to kTimes times. Returns false if the time was up before that.
  base::Expected<bool> try_flip(Flip& flip);
  // Answers that this setting matters.
  report::PageStep blame_setting(const Flip& guilty);
  base::Status refine(const Flip& plain);
  base::Status find_optimizers(const blame::EngineJudge& judge);
  base::Status find_properties(const blame::EngineJudge& judge);
  [[nodiscard]] blame::EngineJudge judge() const;

  const Case& task_;
  Facts& facts_;
  StepContext& context_;
  run::EngineSetup engine_;
  std::vector<Flip> flips_;
  std::optional<TensorsByIteration> good_;
  std::vector<blame::CarefulProperty> careful_;
  report::PageTable optimizers_{.title = "Optimisation levels", .columns = {"Level", "Outcome"}, .rows = {}};
};

void Flips::add(std::string what, const Options& options, bool is_plain) {
  const bool changes = std::ranges::any_of(options, [&](const auto& option) {
    const auto present = engine_.spec.options.find(option.first);
    return present == engine_.spec.options.end() || present->second != option.second;
  });
  const bool is_listed = std::ranges::find(flips_, options, &Flip::options) != flips_.end();
  if (!changes || is_listed) return;
  flips_.push_back(
      {.what = std::move(what), .engine = with_options(engine_, options), .options = options, .is_plain = is_plain});
}

base::Status Flips::list() {
  const std::string& kind = engine_.spec.kind;
  add("all optimisations are disabled", options_for(engine_, &backend::EngineRow::exact), true);
  if (kind == kOpenVino) {
    ASSAY_ASSIGN(careful_, blame::known_properties(engine_, context_.pool, context_.log));
    Options all;
    for (const blame::CarefulProperty& property : careful_) {
      const Options one = {{fmt::format("config.{}", property.key), std::string(property.value)}};
      all.insert(one.begin(), one.end());
      add(fmt::format("{} is {}", property.key, property.value), one);
    }
    add("all properties that cost accuracy are careful", all, true);
  }
  add("it uses one thread", options_for(engine_, &backend::EngineRow::one_thread));
  add("it computes in the types that the model declares", options_for(engine_, &backend::EngineRow::full_precision));
  if (const backend::EngineRow* row = backend::find_engine_row(kind)) {
    for (const auto& [what, option] : row->suspects) {
      add(std::string(what), {{std::string(option.key), std::string(option.value)}});
    }
  }
  for (const OtherLibrary& other : task_.libraries) {
    if (other.kind != kind || other.library == engine_.spec.library) continue;
    Flip flip{.what = fmt::format("version {} is used", other.version.empty() ? other.library.string() : other.version),
              .engine = engine_};
    flip.engine.spec.library = other.library;
    flips_.push_back(std::move(flip));
  }
  return {};
}

base::Status Flips::find_good_outputs() {
  if (facts_.failure != Failure::differs) return {};
  if (const auto good = good_engine(task_, facts_)) {
    ASSAY_ASSIGN(Trial trial, try_engine(*good, task_, context_));
    note_time(good->runner, trial, facts_);
    if (!trial.runs()) {
      return base::fail(base::ErrorKind::engine, "it fails now, but ran before: " + trial.failure, good->runner);
    }
    good_ = std::move(trial.outputs);
  } else if (facts_.good_side == kGolden) {
    good_ = task_.golden_outputs();
  }
  return {};
}

// Returns why the engine still fails with the flip; empty if it doesn't.
base::Expected<std::string> Flips::failure_of(const Flip& flip) {
  constexpr int kRepeats = 4;
  const bool is_random = facts_.failure == Failure::random;
  ASSAY_ASSIGN(const Trial trial, try_engine(flip.engine, task_, context_, {.repeats = is_random ? kRepeats : 1}));
  if (!trial.runs()) return fmt::format("fails in phase {}: {}", trial.phase, trial.failure.substr(0, 200));
  if (is_random) {
    for (std::size_t i = 0; i + 1 < trial.outputs.size(); ++i) {
      if (i % kRepeats == kRepeats - 1) continue;  // the next one is of another iteration
      const Comparison comparison = compare({trial.outputs[i]}, {trial.outputs[i + 1]}, task_.plan);
      if (!comparison.agrees) return comparison.text;
    }
    return std::string();
  }
  if (!good_ || facts_.failure == Failure::refused) return std::string();
  const Comparison comparison = compare(trial.outputs, *good_, task_.plan);
  return comparison.agrees ? std::string() : comparison.text;
}

blame::EngineJudge Flips::judge() const {
  run::RunPlan plan;
  plan.compare = task_.plan;
  plan.inputs = task_.inputs_by_iteration();
  data::RunnerResults results{.runner = "the side that is right", .iterations = {}};
  for (const tensor::NamedTensors& outputs : *good_) {
    results.iterations.push_back({.outputs = outputs, .runtime_s = {}, .runner = results.runner});
  }
  const auto outputs = std::make_shared<const blame::OutputJudge>(
      blame::OutputJudge::make(std::move(results), {std::move(plan), context_.pool, context_.log, context_.stop}));
  return std::bind_front(&blame::OutputJudge::judge, outputs);
}

base::Status Flips::find_optimizers(const blame::EngineJudge& judge) {
  ASSAY_ASSIGN(auto probe, blame::OnnxRuntimeProbe::make(engine_, task_.source, judge, context_.pool));
  const auto given = engine_.spec.options.find(kLevel);
  const std::string last = given == engine_.spec.options.end() ? std::string() : given->second;
  ASSAY_ASSIGN(const blame::OptimizerFindings found,
               blame::find_optimizers(blame::optimization_levels(last), probe, context_.log));
  for (const blame::LevelAgreement& level : found.levels) optimizers_.rows.push_back({level.level, level.judged.text});
  if (found.level.empty()) return {};
  facts_.setting.level = found.level;
  facts_.setting.optimizers = found.guilty;
  facts_.setting.text = fmt::format("the optimisation level is below {}", found.level);
  if (found.guilty.empty()) return {};
  facts_.setting.text =
      fmt::format("{} {} disabled", fmt::join(found.guilty, " and "), found.guilty.size() == 1 ? "is" : "are");
  facts_.setting.options = {
      {fmt::format("config.{}", blame::OnnxRuntimeProbe::kDisable), base::join(found.guilty, ";")}};
  return {};
}

base::Status Flips::find_properties(const blame::EngineJudge& judge) {
  ASSAY_ASSIGN(const blame::PropertyFindings found,
               blame::find_properties(engine_, task_.source, careful_, judge, context_.log));
  std::vector<std::string> set;
  for (const blame::CarefulProperty& property : found.guilty) {
    set.push_back(fmt::format("{} is {}", property.key, property.value));
    facts_.setting.options[fmt::format("config.{}", property.key)] = property.value;
  }
  if (!set.empty()) facts_.setting.text = base::join(set, " and ");
  return {};
}

// The flip to the careful settings helps: which of them is it?
base::Status Flips::refine(const Flip& plain) {
  facts_.setting.plain = plain.options;
  facts_.setting.options = plain.options;
  facts_.setting.text = plain.what;
  if (!good_) {
    ASSAY_ASSIGN(Trial trial, try_engine(plain.engine, task_, context_));
    note_time(plain.engine.runner, trial, facts_);
    if (!trial.runs()) return {};
    good_ = std::move(trial.outputs);
  }
  if (facts_.failure == Failure::random) return {};
  if (engine_.spec.kind == kOnnxRuntime) return find_optimizers(judge());
  return careful_.empty() ? base::Status() : find_properties(judge());
}

base::Expected<bool> Flips::try_flip(Flip& flip) {
  for (int i = 0; i < kTimes; ++i) {
    const auto failure = failure_of(flip);
    if (!failure && context_.stop.requested()) return false;
    if (!failure) return tl::make_unexpected(failure.error());
    if (failure->empty()) ++flip.good;
    if (!failure->empty()) flip.seen = *failure;
    if (!failure->empty() && i == 0) break;  // it doesn't help
  }
  return true;
}

report::PageStep Flips::blame_setting(const Flip& guilty) {
  facts_.setting.text = guilty.what;
  facts_.setting.options = guilty.options;
  const base::Status refined = guilty.is_plain ? refine(guilty) : base::Status();
  report::PageStep answer = make_answer(Mark::good, "the failure disappears if " + facts_.setting.text);
  if (!facts_.setting.level.empty()) answer.answer += "; the lowest level that fails is " + facts_.setting.level;
  // The careful settings are an answer even if nothing finer is found.
  if (!refined) answer.answer += "; which of them matters is unknown: " + refined.error().message();
  return answer;
}

base::Expected<report::PageStep> Flips::run() {
  ASSAY_TRY(list());
  if (flips_.empty()) return make_answer(Mark::unknown, "don't know: Assay knows no settings of this engine");
  ASSAY_TRY(find_good_outputs());
  report::PageTable table{
      .title = "Settings tried", .columns = {"Changed setting", "Outcome", "Good runs"}, .rows = {}};
  const Flip* guilty = nullptr;
  std::vector<std::string> suspects;
  for (Flip& flip : flips_) {
    ASSAY_ASSIGN(const bool was_tried, try_flip(flip));
    if (!was_tried) break;
    const bool helps = flip.good == kTimes;
    const bool is_suspect = flip.good > 0 && !helps;
    if (is_suspect) suspects.push_back(flip.what);
    const std::string outcome = helps ? "the failure disappears" : is_suspect ? "suspect: " + flip.seen : flip.seen;
    table.rows.push_back({flip.what, outcome, fmt::format("{} of {}", flip.good, helps || is_suspect ? kTimes : 1)});
    if (helps && (guilty == nullptr || (flip.is_plain && !guilty->is_plain))) guilty = &flip;
  }
  const std::size_t tried = table.rows.size();
  if (tried == 0) return base::fail(base::ErrorKind::interrupted, "stopped");
  report::PageStep answer = make_answer(Mark::unknown, "none of those that Assay tried");
  if (tried < flips_.size()) answer.answer += fmt::format(" ({} of {}; the time was up)", tried, flips_.size());
  if (!suspects.empty()) answer.answer = fmt::format("suspect: {}", fmt::join(suspects, ", "));
  if (guilty != nullptr) answer = blame_setting(*guilty);
  answer.tables.push_back(std::move(table));
  if (!optimizers_.rows.empty()) answer.tables.push_back(optimizers_);
  return answer;
}

}  // namespace

base::Expected<report::PageStep> flip_settings(const Case& task, Facts& facts, StepContext& context) {
  if (facts.failure == Failure::none) return make_answer(Mark::skipped, "not asked: no engine fails");
  if (facts.failure == Failure::overflows) return make_answer(Mark::skipped, "not asked: no engine is at fault");
  if (facts.failure == Failure::not_finite) {
    return make_answer(Mark::skipped, facts.good_is_sure ? "not asked: the cause is the model or its inputs"
                                                         : "not asked: it is unknown which outputs are right");
  }
  if (facts.is_intermittent) {
    return make_answer(Mark::skipped,
                       "not asked: the engine fails only sometimes, so a run that succeeds proves nothing");
  }
  return Flips(task, facts, context).run();
}

}  // namespace assay::diagnose
