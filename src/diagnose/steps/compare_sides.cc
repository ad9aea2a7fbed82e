// Does it agree, and are the tolerances sane? The sides that the user gave are compared; a single engine is compared
// with the reference evaluator, else with another engine that is installed, else with itself without optimisations. Two
// sides that differ count as a failure only if the noise floor of the model's precision doesn't explain the difference.
#include <fmt/format.h>

#include <algorithm>

#include "backend/engine_table.h"
#include "base/strings.h"
#include "diagnose/commands.h"
#include "diagnose/noise_floor.h"
#include "diagnose/opinions.h"
#include "diagnose/steps.h"
#include "diagnose/steps/side_results.h"
#include "diagnose/trial.h"
#include "edit/note_on_outputs.h"
#include "locate/sides/explain_outputs.h"
#include "locate/sides/pass_through.h"

namespace assay::diagnose {
namespace {

using report::Mark;

constexpr int kItself = -3;  // the first side without optimisations

class Sides {
 public:
  Sides(const Case& task, Facts& facts, StepContext& context)
      : task_(task), facts_(facts), context_(context), results_(task, facts, context) {}

  base::Expected<report::PageStep> run();

 private:
  // Runs a side unless it has run; returns null if it doesn't run the model.
  base::Expected<const Iterations*> outputs(int side);
  // Returns the outputs of a side that has run.
  [[nodiscard]] const Iterations& compared(int side) const;
  // Sets the two sides to compare. Returns false if there is nothing to compare with.
  base::Expected<bool> choose_pair();
  base::Expected<bool> choose_partner(int side);
  // Sets the second side to the first engine that runs among those that were not given.
  base::Status ask_others(bool references);
  // Compares the first side with itself without optimisations. If they differ, that becomes the second side; returns
  // true.
  base::Expected<bool> ask_itself();
  // Measures the noise floor. Runs the reference evaluator for that only if `needed`, since it is slow.
  base::Status find_floor(bool needed);
  base::Expected<std::vector<Opinion>> others();
  [[nodiscard]] std::string why_unknown() const;
  base::Expected<bool> is_reduced_precision();
  base::Expected<report::PageStep> judge(const Comparison& comparison);
  // Records that the sides differ, and which of them is at fault.
  void note_difference(const Comparison& comparison, Fault fault);
  // Explains the difference by another order of outputs or axes, if possible.
  base::Status explain_outputs();
  // Looks for a side that returns even values of Identity nodes in another order or layout. It is at fault.
  base::Status find_misplacing(std::size_t iteration);
  void add_row(const Comparison& comparison);
  [[nodiscard]] bool is_itself() const { return second_ == kItself; }
  [[nodiscard]] std::string name(int side) const {
    return side == kItself ? name_of(task_, facts_, first_) + " without optimisations" : name_of(task_, facts_, side);
  }

  const Case& task_;
  Facts& facts_;
  StepContext& context_;
  SideResults results_;
  int first_ = kNoSide, second_ = kNoSide;
  SideResults::Options plain_;  // that disable optimisations
  std::optional<NoiseFloor> floor_;
  std::string no_floor_;  // why it is unknown
  report::PageTable table_{.title = "Comparisons",
                           .columns = {"First", "Second", "Largest error", "Noise floor", "Same top-1", "Verdict"},
                           .rows = {}};
};

base::Expected<const Iterations*> Sides::outputs(int side) {
  ASSAY_ASSIGN(const SideResult* const result, side == kItself ? results_.get(first_, plain_) : results_.get(side));
  return result->outputs ? &*result->outputs : nullptr;
}

const Iterations& Sides::compared(int side) const {
  return *(side == kItself ? results_.find(first_, plain_) : results_.find(side))->outputs;
}

base::Expected<bool> Sides::choose_partner(int side) {
  first_ = side;
  ASSAY_ASSIGN(const Iterations* const own, outputs(side));
  if (own == nullptr) return false;
  ASSAY_TRY(ask_others(true));
  if (second_ != kNoSide) return true;
  ASSAY_ASSIGN(const bool differs_from_itself, ask_itself());
  if (differs_from_itself) return true;
  ASSAY_TRY(ask_others(false));
  if (second_ != kNoSide || plain_.empty()) return second_ != kNoSide;
  ASSAY_ASSIGN(const Iterations* const itself, outputs(kItself));
  if (itself != nullptr) second_ = kItself;
  return itself != nullptr;
}

base::Status Sides::ask_others(bool references) {
  for (std::size_t i = 0; i < task_.sides.size() && second_ == kNoSide; ++i) {
    if (task_.sides[i].is_given || is_reference(task_.sides[i]) != references) continue;
    ASSAY_ASSIGN(const Iterations* const found, outputs(static_cast<int>(i)));
    if (found != nullptr) second_ = static_cast<int>(i);
  }
  return {};
}

base::Expected<bool> Sides::ask_itself() {
  if (first_ < 0) return false;
  plain_ = options_for(task_.sides[first_].setup, &backend::EngineRow::exact);
  if (plain_.empty()) return false;
  ASSAY_ASSIGN(const Iterations* const found, outputs(kItself));
  if (found == nullptr || compare(compared(first_), *found, task_.plan).agrees) return false;
  second_ = kItself;
  return true;
}

base::Expected<bool> Sides::choose_pair() {
  std::vector<int> given;
  for (std::size_t i = 0; i < task_.sides.size(); ++i) {
    if (task_.sides[i].is_given) given.push_back(static_cast<int>(i));
  }
  if (!task_.golden_results && given.size() == 1) return choose_partner(given.front());
  if (task_.golden_results) given.push_back(kGolden);
  // The first pair that differs, else the last one.
  for (std::size_t i = 0; i + 1 < given.size(); ++i) {
    first_ = given[i];
    second_ = task_.golden_results ? kGolden : given[i + 1];
    ASSAY_ASSIGN(const Iterations* const one, outputs(first_));
    ASSAY_ASSIGN(const Iterations* const other, outputs(second_));
    if (one == nullptr || other == nullptr) return false;
    if (!compare(*one, *other, task_.plan).agrees) break;
  }
  return true;
}

base::Status Sides::find_floor(bool needed) {
  no_floor_ = "no Python was found for the reference evaluator. Install Python 3 and its package onnx";
  for (std::size_t i = 0; i < task_.sides.size(); ++i) {
    if (!is_reference(task_.sides[i]) || (!needed && results_.find(static_cast<int>(i)) == nullptr)) continue;
    ASSAY_ASSIGN(const SideResult* const reference, results_.get(static_cast<int>(i)));
    if (!reference->outputs) {
      const std::string& failure = reference->failure;
      const std::string why = failure.substr(0, failure.find('\n'));     // without Python's stack
      const bool names_it = why.starts_with("the reference evaluator");  // it says what it needs
      no_floor_ = names_it ? why : "the reference evaluator doesn't run the model: " + why;
      continue;
    }
    no_floor_ = "the reference evaluator doesn't run the model in float64";
    ASSAY_ASSIGN(floor_, find_noise_floor(task_, context_.limited(task_.sides[i].setup, kPartOfOpinions),
                                          *reference->outputs, context_.pool, context_.log));
    return {};
  }
  return {};
}

// Returns the outputs of all other sides that run the model, and of the float64 run. The latter is the reference
// evaluator's, so it isn't an independent opinion about that.
base::Expected<std::vector<Opinion>> Sides::others() {
  std::vector<Opinion> others;
  const auto is_compared = [&](int side) { return side == first_ || side == second_; };
  bool reference_is_compared = false;
  for (std::size_t i = 0; i < task_.sides.size(); ++i) {
    const int side = static_cast<int>(i);
    if (is_compared(side)) {
      reference_is_compared = reference_is_compared || is_reference(task_.sides[i]);
      continue;
    }
    ASSAY_ASSIGN(const Iterations* const found, outputs(side));
    if (found != nullptr) others.push_back({name_of(task_, facts_, side), *found});
  }
  if (floor_ && !reference_is_compared) others.push_back({"the model in float64", floor_->exact});
  return others;
}

std::string Sides::why_unknown() const {
  std::string text = "it is unknown which one is right, since no independent third opinion decides";
  const auto is_reference_side = [&](int side) { return side >= 0 && is_reference(task_.sides[side]); };
  if (floor_ && (is_reference_side(first_) || is_reference_side(second_))) {
    text += " (the float64 run isn't one, since it is the reference evaluator's own)";
  }
  return text;
}

// Returns true if an engine computes in a lower precision by default, and agrees in float32.
base::Expected<bool> Sides::is_reduced_precision() {
  for (const int side : {first_, second_}) {
    const int other = side == first_ ? second_ : first_;
    if (side < 0) continue;
    const std::string& precision = results_.find(side)->reduced_precision;
    if (precision.empty()) continue;
    const auto full = options_for(task_.sides[side].setup, &backend::EngineRow::full_precision);
    if (full.empty()) continue;
    const run::EngineSetup careful = with_options(task_.sides[side].setup, full);
    ASSAY_ASSIGN(const Trial trial, try_engine(careful, task_.source, task_.inputs, context_.pool, context_.log));
    if (!trial.runs() || !compare(trial.outputs, compared(other), task_.plan).agrees) continue;
    facts_.floor = fmt::format("{} computes in {} and agrees in float32: the tolerances are below what {} can hold",
                               name(side), precision, precision);
    return true;
  }
  return false;
}

base::Status Sides::explain_outputs() {
  const Iterations &first = compared(first_), &second = compared(second_);
  for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i) {
    const locate::OutputsExplained explained =
        locate::explain_outputs({name(first_), first[i]}, {name(second_), second[i]}, task_.plan);
    if (explained.notes.empty()) continue;
    facts_.note = base::join(explained.notes, ". ");
    facts_.is_moved = explained.all;
    return explained.all && !is_itself() ? find_misplacing(i) : base::Status();
  }
  return {};
}

base::Status Sides::find_misplacing(std::size_t iteration) {
  for (const auto& [side, other] : {std::pair(first_, second_), std::pair(second_, first_)}) {
    if (side < 0) continue;
    ASSAY_ASSIGN(const bool misplaces,
                 locate::misplaces_outputs(task_.sides.at(side).setup, task_.model, compared(other)[iteration],
                                           task_.plan, context_.pool));
    if (!misplaces) continue;
    facts_.moves_all = true;
    facts_.side = side;
    facts_.good = other;
    facts_.good_is_sure = true;
    return {};
  }
  return {};
}

void Sides::add_row(const Comparison& comparison) {
  double noise = 0;
  if (floor_) {
    for (const auto& [output, value] : floor_->noise) noise = std::max(noise, value);
  }
  const auto top1 = top1_agreement(compared(first_), compared(second_));
  table_.rows.push_back({name(first_), name(second_), fmt::format("{:.3g}", comparison.absolute),
                         floor_ ? fmt::format("{:.3g}", noise) : "unknown",
                         top1 ? fmt::format("{:.1f} %", *top1 * 100) : "", comparison.agrees ? "agree" : "differ"});
}

void Sides::note_difference(const Comparison& comparison, Fault fault) {
  const bool is_second = fault == Fault::second && second_ >= 0;
  facts_.failure = Failure::differs;
  facts_.side = is_second ? second_ : first_;
  facts_.good = is_second ? first_ : second_;
  facts_.good_is_sure = fault != Fault::unknown && !(fault == Fault::second && second_ == kGolden);
  facts_.output = comparison.output;
  facts_.message = comparison.text;
  facts_.place = {};  // of a NaN that both sides have
  if (is_itself()) {
    facts_.good = kNoSide;
    facts_.setting.plain = plain_;
    facts_.good_is_sure = true;
  }
  if (!floor_) facts_.no_floor = no_floor_;
}

base::Expected<report::PageStep> Sides::judge(const Comparison& comparison) {
  ASSAY_ASSIGN(const bool is_reduced, is_reduced_precision());
  if (is_reduced) return make_answer(Mark::note, "it differs, but " + facts_.floor);
  const Iterations &first = compared(first_), &second = compared(second_);
  if (floor_ && is_inside(*floor_, first, second, task_.plan)) {
    facts_.floor = fmt::format(
        "the rounding of {0} alone explains the difference: the tolerances are below what {0} can hold in this model",
        precision_of(task_.model));
    return make_answer(Mark::note, "it differs, but " + facts_.floor);
  }
  Judgement judgement;
  if (!is_itself()) {
    ASSAY_ASSIGN(const std::vector<Opinion> opinions, others());
    judgement = choose_fault({name(first_), first}, {name(second_), second}, opinions, task_.plan);
  }
  if (judgement.fault == Fault::unknown && !is_itself()) {
    ASSAY_ASSIGN(const bool differs_from_itself, ask_itself());
    if (differs_from_itself) return judge(compare(first, compared(second_), task_.plan));
  }
  const bool second_is_asked = second_ >= 0 && !task_.sides[second_].is_given;
  if (judgement.fault == Fault::second && second_is_asked) {
    facts_.floor = fmt::format("only {} differs, which ran only for comparison, and {}", name(second_), judgement.why);
    return make_answer(Mark::note, facts_.floor);
  }
  note_difference(comparison, judgement.fault);
  std::string text = fmt::format("no: {} and {}: {}", name(first_), name(second_), comparison.text);
  if (!is_itself()) text += "; " + (judgement.why.empty() ? why_unknown() : judgement.why);
  if (!floor_) text += "; the noise floor is unknown, since " + no_floor_;
  ASSAY_TRY(explain_outputs());
  if (!facts_.note.empty()) text += ". " + facts_.note;
  return make_answer(Mark::bad, text);
}

base::Expected<report::PageStep> Sides::run() {
  ASSAY_ASSIGN(const bool has_pair, choose_pair());
  if (!has_pair) return make_answer(Mark::unknown, "don't know: there is no second engine to compare with");
  const Comparison comparison = compare(compared(first_), compared(second_), task_.plan);
  const std::string note = edit::note_on_outputs(task_.model.graph());
  if (comparison.outputs == 0) {
    return make_answer(Mark::unknown, "don't know: " + (note.empty() ? "both sides have no output in common" : note));
  }
  ASSAY_TRY(find_floor(!comparison.agrees));
  add_row(comparison);
  report::PageStep answer;
  if (comparison.agrees) {
    answer = make_answer(Mark::good, fmt::format("yes: {} and {} differ by at most {:.3g}", name(first_), name(second_),
                                                 comparison.absolute));
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
  const bool has_nan = !facts.message.empty();  // on both sides
  ASSAY_ASSIGN(report::PageStep answer, Sides(task, facts, context).run());
  if (facts.failure == Failure::none && has_nan) facts.failure = Failure::not_finite;
  return answer;
}

}  // namespace assay::diagnose
