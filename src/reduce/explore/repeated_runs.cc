// A whole model that passes, the result, and candidates that flipped are run a few more times. The observed failure
// rate then determines how many runs each candidate needs, so that a failing one passes all of them only with
// probability kWrongPass.
#include "reduce/explore/repeated_runs.h"

#include <algorithm>
#include <utility>

#include "reduce/explore/further_runs.h"

namespace assay::reduce {
namespace {

constexpr int kConfirmations = 3;
constexpr int kProbes = 4;  // more runs of a model, if one that should have failed passed
constexpr int kMostRepeats = 20;
constexpr double kWrongPass = 0.001;  // the accepted probability that a failing candidate passes all its runs

}  // namespace

int RepeatedRuns::confirmations() const {
  return std::max(kConfirmations, rule_.repeat);
}

std::vector<Verdict> RepeatedRuns::verdicts_on(const SharedModel& model) const {
  return last_ == model ? verdicts_ : std::vector<Verdict>{};
}

base::Expected<int> RepeatedRuns::run_again(const SharedModel& model, int times) {
  FurtherRuns search(model, runs_, times);
  runs_ += times;
  ASSAY_TRY(explorer_.run(search, build_model));
  if (std::exchange(last_, model) != model) verdicts_.clear();
  verdicts_.insert(verdicts_.end(), search.verdicts().begin(), search.verdicts().end());
  return static_cast<int>(std::ranges::count(search.verdicts(), Verdict::Kind::fails, &Verdict::kind));
}

void RepeatedRuns::set_rule(double chance) {
  rule_ = {.repeat = std::clamp(repeats_needed(chance, kWrongPass).value_or(1), kProbes, kMostRepeats)};
  log_.warning(
      "The failure is intermittent: the check failed in about {:.0f} % of the runs of one model. From now on, each "
      "candidate is run up to {} times, and one failing run counts. Set --repeat and --fail-ratio to choose another "
      "rule.",
      chance * 100, rule_.repeat);
  explorer_.set_rule(rule_);
}

base::Expected<bool> RepeatedRuns::detect_in_whole(const SharedModel& passed) {
  if (repeats()) return false;
  const int first = runs_;
  ASSAY_ASSIGN(const int failed, run_again(passed, kProbes));
  if (failed == 0) return false;
  explorer_.count_further(*passed, first, kProbes);
  set_rule(static_cast<double>(failed) / (kProbes + 1));
  return true;
}

base::Expected<bool> RepeatedRuns::detect_in_result(const SharedModel& result, const SharedModel& flipped) {
  const bool may_set_rule = !repeats();
  int runs = confirmations();
  ASSAY_ASSIGN(int failed, run_again(result, runs));
  if (!may_set_rule || (failed == runs && !flipped)) return false;
  ASSAY_ASSIGN(const int more, run_again(result, kProbes));
  failed += more;
  runs += kProbes;
  while (failed == 0 && explorer_.drop_best()) {
    log_.warning("The result failed once, and then never again in {} runs. An earlier candidate takes its place.",
                 runs);
    ASSAY_ASSIGN(failed, run_again(explorer_.best().model, runs));
  }
  double chance = failed > 0 ? static_cast<double>(failed) / runs : 1.0 / (runs + 1);
  if (flipped) {
    ASSAY_ASSIGN(const int flips, run_again(flipped, kProbes));
    chance = std::min(chance, (flips + 1.0) / (kProbes + 2));
  }
  set_rule(chance);
  return true;
}

}  // namespace assay::reduce
