// Does it agree, and are the tolerances sane? choose_pair.h says which two sides are compared. If they differ, that
// counts as a failure only if the noise floor of the model's precision doesn't explain the difference.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "backend/engine_table.h"
#include "base/strings.h"
#include "diagnose/commands.h"
#include "diagnose/float16_overflow.h"
#include "diagnose/noise_floor.h"
#include "diagnose/opinions.h"
#include "diagnose/quantization_step.h"
#include "diagnose/steps.h"
#include "diagnose/steps/choose_pair.h"
#include "diagnose/steps/note_refusal.h"
#include "diagnose/steps/side_results.h"
#include "diagnose/trial.h"
#include "locate/note_on_outputs.h"
#include "locate/sides/explain_outputs.h"
#include "locate/sides/pass_through.h"

namespace assay::diagnose {
namespace {

using report::Mark;

constexpr double kOneStep = 1.01;  // in float32, one step is a bit more or less

class SideComparison {
 public:
  SideComparison(const Case& task, Facts& facts, StepContext& context)
      : task_(task), facts_(facts), context_(context), results_(task, facts, context), pair_(task, results_) {}

  base::Expected<report::PageStep> run();

 private:
  // Measures the noise floor. Runs the reference evaluator for that only if `needed`, since it is slow.
  base::Status find_floor(bool needed);
  base::Expected<std::vector<Opinion>> others();
  [[nodiscard]] std::string why_unknown() const;
  base::Expected<bool> is_reduced_precision();
  // Returns the answer if a value that is too large for float16 makes an output wrong wherever float16 is computed in
  // float16. Sides that agree may have computed it in float32, as ONNX Runtime does on CPUs, or not at all.
  base::Expected<std::optional<report::PageStep>> find_hidden_overflow();
  // Explains the difference by the precision of an engine or of the model, if possible: then no engine is at fault.
  base::Expected<std::optional<report::PageStep>> explain_by_precision(const Comparison& comparison);
  // Finds out which side is at fault. If that is unknown, or a side that only serves as an opinion, another side is
  // compared with the first.
  base::Expected<report::PageStep> judge(const Comparison& comparison);
  // Records that the sides differ, and which of them is at fault.
  void note_difference(const Comparison& comparison, Fault fault);
  // Explains the difference by another order of outputs or axes, if possible.
  base::Status explain_outputs();
  // Answers the question, and adds a note if one step of quantization explains the difference.
  report::PageStep describe_difference(const Comparison& comparison, const FaultChoice& choice);
  // Looks for a side that returns even values of Identity nodes in another order or layout. It is at fault.
  base::Status find_misplacing(std::size_t iteration);
  void add_row(const Comparison& comparison);
  [[nodiscard]] std::string name(int side) const {
    return side == kItself ? name_of(task_, facts_, pair_.first()) + " without optimisations"
                           : name_of(task_, facts_, side);
  }

  const Case& task_;
  Facts& facts_;
  StepContext& context_;
  SideResults results_;
  PairOfSides pair_;
  std::optional<NoiseFloor> floor_;
  std::string no_floor_;  // why it is unknown
  report::PageTable table_{.title = "Comparisons",
                           .columns = {"First", "Second", "Largest error", "Noise floor", "Same top-1", "Verdict"},
                           .rows = {}};
};

base::Status SideComparison::find_floor(bool needed) {
  // The noise of a value that happens to be halfway between two steps would excuse errors of a step everywhere.
  if (is_quantized(task_.model)) {
    no_floor_ = "the model is quantized, so that the smallest rounding error can become a whole step";
    return {};
  }
  no_floor_ = "no Python was found for the reference evaluator. Install Python 3 and its package onnx";
  for (std::size_t i = 0; i < task_.sides.size(); ++i) {
    if (!is_reference(task_.sides[i]) || (!needed && results_.find(static_cast<int>(i)) == nullptr)) continue;
    ASSAY_ASSIGN(const Trial* const reference, results_.get(static_cast<int>(i)));
    if (!reference->runs()) {
      const std::string& failure = reference->failure;
      const std::string why = failure.substr(0, failure.find('\n'));     // without Python's stack
      const bool names_it = why.starts_with("the reference evaluator");  // it says what it needs
      no_floor_ = names_it ? why : "the reference evaluator doesn't run the model: " + why;
      continue;
    }
    no_floor_ = "the reference evaluator doesn't run the model in float64";
    ASSAY_ASSIGN(floor_, find_noise_floor(task_, context_.limited(task_.sides[i].setup, kPartOfOpinions),
                                          reference->outputs, context_));
    return {};
  }
  return {};
}

// Returns the outputs of all other sides that run the model, and of the float64 run. The reference evaluator computes
// that run, so it isn't an independent opinion about the evaluator.
base::Expected<std::vector<Opinion>> SideComparison::others() {
  std::vector<Opinion> others;
  const auto is_compared = [&](int side) { return side == pair_.first() || side == pair_.second(); };
  bool reference_is_compared = false;
  for (std::size_t i = 0; i < task_.sides.size(); ++i) {
    const int side = static_cast<int>(i);
    if (is_compared(side)) {
      reference_is_compared = reference_is_compared || is_reference(task_.sides[i]);
      continue;
    }
    ASSAY_ASSIGN(const TensorsByIteration* const found, pair_.run(side));
    if (found != nullptr) others.push_back({name_of(task_, facts_, side), *found});
  }
  if (floor_ && !reference_is_compared) others.push_back({"the model in float64", floor_->exact});
  return others;
}

std::string SideComparison::why_unknown() const {
  std::string text = "it is unknown which one is right, since no independent third opinion decides";
  const auto is_reference_side = [&](int side) { return side >= 0 && is_reference(task_.sides[side]); };
  if (floor_ && (is_reference_side(pair_.first()) || is_reference_side(pair_.second()))) {
    text += " (the float64 run isn't one, since it is the reference evaluator's own)";
  }
  return text;
}

// Returns true if an engine computes in a lower precision by default, and agrees in float32.
base::Expected<bool> SideComparison::is_reduced_precision() {
  for (const int side : {pair_.first(), pair_.second()}) {
    const int other = side == pair_.first() ? pair_.second() : pair_.first();
    if (side < 0) continue;
    const std::string& precision = results_.find(side)->reduced_precision;
    if (precision.empty()) continue;
    const auto full = options_for(task_.sides[side].setup, &backend::EngineRow::full_precision);
    if (full.empty()) continue;
    const run::EngineSetup careful = with_options(task_.sides[side].setup, full);
    ASSAY_ASSIGN(const Trial trial, try_engine(careful, task_, context_));
    if (!trial.runs() || !compare(trial.outputs, pair_.outputs(other), task_.plan).agrees) continue;
    facts_.floor = fmt::format("{} computes in {} and agrees in float32: the tolerances are below what {} can hold",
                               name(side), precision, precision);
    return true;
  }
  return false;
}

base::Status SideComparison::explain_outputs() {
  const TensorsByIteration &first = pair_.first_outputs(), &second = pair_.second_outputs();
  for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i) {
    const locate::OutputsExplained explained =
        locate::explain_outputs({name(pair_.first()), first[i]}, {name(pair_.second()), second[i]}, task_.plan);
    if (explained.notes.empty()) continue;
    facts_.note = base::join(explained.notes, ". ");
    facts_.is_moved = explained.all;
    return explained.all && !pair_.is_itself() ? find_misplacing(i) : base::Status();
  }
  return {};
}

base::Status SideComparison::find_misplacing(std::size_t iteration) {
  for (const auto& [side, other] :
       {std::pair(pair_.first(), pair_.second()), std::pair(pair_.second(), pair_.first())}) {
    if (side < 0) continue;
    ASSAY_ASSIGN(const bool misplaces,
                 locate::misplaces_outputs(task_.sides.at(side).setup, task_.model, pair_.outputs(other)[iteration],
                                           task_.plan, context_.pool));
    if (!misplaces) continue;
    facts_.moves_all = true;
    facts_.faulty_side = side;
    facts_.good_side = other;
    facts_.good_is_sure = true;
    return {};
  }
  return {};
}

void SideComparison::add_row(const Comparison& comparison) {
  double noise = 0;
  if (floor_) {
    for (const auto& [output, value] : floor_->noise) noise = std::max(noise, value);
  }
  const auto top1 = top1_agreement(pair_.first_outputs(), pair_.second_outputs());
  table_.rows.push_back({name(pair_.first()), name(pair_.second()), fmt::format("{:.3g}", comparison.absolute),
                         floor_ ? fmt::format("{:.3g}", noise) : "unknown",
                         top1 ? fmt::format("{:.1f} %", *top1 * 100) : "", comparison.agrees ? "agree" : "differ"});
}

void SideComparison::note_difference(const Comparison& comparison, Fault fault) {
  const bool is_second = fault == Fault::second && pair_.second() >= 0;
  facts_.failure = Failure::differs;
  facts_.faulty_side = is_second ? pair_.second() : pair_.first();
  facts_.good_side = is_second ? pair_.first() : pair_.second();
  facts_.good_is_sure = fault != Fault::unknown && !(fault == Fault::second && pair_.second() == kGolden);
  facts_.output = comparison.output;
  facts_.message = comparison.text;
  facts_.place = {};  // of a NaN that both sides have
  if (pair_.is_itself()) {
    facts_.good_side = kNoSide;
    facts_.setting.plain = pair_.plain();
    facts_.good_is_sure = true;
  }
  if (!floor_) facts_.no_floor = no_floor_;
}

base::Expected<std::optional<report::PageStep>> SideComparison::find_hidden_overflow() {
  if (task_.is_large() || precision_of(task_.model) != "float16") return std::nullopt;
  ASSAY_TRY(find_floor(true));
  if (!floor_) return std::nullopt;
  const run::EngineSetup reference = context_.limited(*reference_of(task_), kPartOfOpinions);
  for (const auto& [output, noise] : floor_->noise) {
    if (!is_ruined(*floor_, output)) continue;
    ASSAY_ASSIGN(const auto overflow, find_overflow(task_, reference, output, context_));
    if (!overflow) continue;
    note_overflow(*overflow, facts_);
    return make_answer(Mark::bad,
                       fmt::format("no: {} and {} agree, but an engine that computes in float16 would differ, "
                                   "because {}",
                                   name(pair_.first()), name(pair_.second()), facts_.message));
  }
  return std::nullopt;
}

base::Expected<std::optional<report::PageStep>> SideComparison::explain_by_precision(const Comparison& comparison) {
  ASSAY_ASSIGN(const bool is_reduced, is_reduced_precision());
  if (is_reduced) return make_answer(Mark::note, "it differs, but " + facts_.floor);
  if (floor_ && is_ruined(*floor_, comparison.output)) {
    const run::EngineSetup reference = context_.limited(*reference_of(task_), kPartOfOpinions);
    ASSAY_ASSIGN(const auto overflow, find_overflow(task_, reference, comparison.output, context_));
    if (overflow) {
      note_overflow(*overflow, facts_);
      return make_answer(Mark::bad, fmt::format("no: {}, because {}", comparison.text, facts_.message));
    }
  }
  if (floor_ && is_inside(*floor_, pair_.first_outputs(), pair_.second_outputs(), task_.plan)) {
    facts_.floor = fmt::format(
        "the rounding of {0} alone explains the difference: the tolerances are below what {0} can hold in this model",
        precision_of(task_.model));
    return make_answer(Mark::note, "it differs, but " + facts_.floor);
  }
  return std::nullopt;
}

base::Expected<report::PageStep> SideComparison::judge(const Comparison& comparison) {
  ASSAY_ASSIGN(std::optional<report::PageStep> explained, explain_by_precision(comparison));
  if (explained) return *std::move(explained);
  FaultChoice choice;
  if (!pair_.is_itself()) {
    ASSAY_ASSIGN(const std::vector<Opinion> opinions, others());
    choice = choose_fault({name(pair_.first()), pair_.first_outputs()}, {name(pair_.second()), pair_.second_outputs()},
                          opinions, task_.plan);
  }
  const bool blames_asked =
      choice.fault == Fault::second && pair_.second() >= 0 && !task_.sides[pair_.second()].is_given;
  if (blames_asked || (choice.fault == Fault::unknown && !pair_.is_itself())) {
    std::optional<Comparison> other;
    if (blames_asked) {
      ASSAY_ASSIGN(other, pair_.compare_with_next());
    }
    if (!other) {
      ASSAY_ASSIGN(other, pair_.compare_with_itself());
    }
    if (other) {
      add_row(*other);
      return judge(*other);
    }
  }
  if (blames_asked) {
    facts_.floor =
        fmt::format("only {} differs, which ran only for comparison, and {}", name(pair_.second()), choice.why);
    return make_answer(Mark::note, facts_.floor);
  }
  note_difference(comparison, choice.fault);
  ASSAY_TRY(explain_outputs());
  return describe_difference(comparison, choice);
}

report::PageStep SideComparison::describe_difference(const Comparison& comparison, const FaultChoice& choice) {
  std::string text = fmt::format("no: {} and {}: {}", name(pair_.first()), name(pair_.second()), comparison.text);
  if (!pair_.is_itself()) text += "; " + (choice.why.empty() ? why_unknown() : choice.why);
  if (!floor_) text += "; the noise floor is unknown, since " + no_floor_;
  const double step = quantization_step(task_.model, comparison.output);
  if (facts_.note.empty() && step > 0 && comparison.absolute <= step * kOneStep) {
    facts_.note = fmt::format("The difference is one step of the quantization of '{}' ({:.3g}), which may be rounding",
                              comparison.output, step);
  }
  if (!facts_.note.empty()) text += ". " + facts_.note;
  return make_answer(Mark::bad, text);
}

base::Expected<report::PageStep> SideComparison::run() {
  ASSAY_ASSIGN(const bool has_pair, pair_.choose());
  if (pair_.failed() != kNoSide) {
    note_refusal(task_, pair_.failed(), *results_.find(pair_.failed()), facts_);
    return make_answer(Mark::bad, "no: " + describe_refusal(task_, facts_));
  }
  if (!has_pair) return make_answer(Mark::unknown, "don't know: there is no second engine to compare with");
  const Comparison comparison = compare(pair_.first_outputs(), pair_.second_outputs(), task_.plan);
  const std::string note = locate::note_on_outputs(task_.model.graph());
  if (comparison.outputs == 0) {
    return make_answer(Mark::unknown, "don't know: " + (note.empty() ? "both sides have no output in common" : note));
  }
  ASSAY_TRY(find_floor(!comparison.agrees));
  add_row(comparison);
  report::PageStep answer;
  if (comparison.agrees) {
    ASSAY_ASSIGN(const auto overflow, find_hidden_overflow());
    answer = overflow
                 ? *overflow
                 : make_answer(Mark::good, fmt::format("yes: {} and {} differ by at most {:.3g}", name(pair_.first()),
                                                       name(pair_.second()), comparison.absolute));
  } else {
    ASSAY_ASSIGN(answer, judge(comparison));
  }
  if (!note.empty()) answer.answer += "; " + note;
  answer.tables.push_back(std::move(table_));
  return answer;
}

}  // namespace

base::Expected<report::PageStep> compare_sides(const Case& task, Facts& facts, StepContext& context) {
  if (facts.failure != Failure::none) return make_answer(Mark::skipped, "not asked: the failure is known");
  ASSAY_ASSIGN(report::PageStep answer, SideComparison(task, facts, context).run());
  if (facts.failure == Failure::none && facts.nan_on_both_sides) facts.failure = Failure::not_finite;
  return answer;
}

}  // namespace assay::diagnose
