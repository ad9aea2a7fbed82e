#include "diagnose/diagnose.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "base/seconds.h"
#include "base/stop_after.h"
#include "data/inputs_file.h"
#include "diagnose/journal.h"

namespace assay::diagnose {
namespace {

using Clock = std::chrono::steady_clock;
using report::Mark;

constexpr double kMoreTime = 1.5;  // times what a step took before; else it is not worth repeating

// Returns the share of `left` that the step may use: relative to all steps that are still to come.
double share_of(const StepRow& row, double left, const std::set<std::string>& skip) {
  double sum = 0;
  for (const StepRow& other : steps()) {
    const bool comes = &other >= &row && !skip.contains(std::string(other.name));
    if (comes) sum += other.share;
  }
  return left * row.share / sum;
}

class Diagnosis {
 public:
  Diagnosis(const Case& task, State state, const DiagnoseOptions& options, worker::Pool& pool, base::Log& log,
            const base::Stop& stop)
      : task_(task), state_(std::move(state)), options_(options), pool_(pool), log_(log), stop_(stop) {
    for (const Step& step : state_.steps) used_s_ += std::max(step.answer.seconds, 0.0);
    repeat_what_was_cut();
  }

  base::Expected<State> run() {
    // Later steps and the commands of the verdict need the file, whichever steps are skipped.
    ASSAY_TRY(data::save_inputs(task_.inputs_file(), task_.inputs));
    for (const StepRow& row : steps()) {
      if (const Step* earlier = state_.find(row.name)) {
        if (options_.step_ends) options_.step_ends(row, *earlier);
        continue;
      }
      if (options_.step_begins) options_.step_begins(row);
      const Facts before = state_.facts;
      ASSAY_ASSIGN(Step step, take(row));
      step.answer.question = row.question;
      if (step.cut_short && !state_.facts_before_cut) state_.facts_before_cut = before;
      state_.steps.push_back(std::move(step));
      ASSAY_TRY(save_state(state_, task_.folder));
      if (options_.step_ends) options_.step_ends(row, state_.steps.back());
    }
    return std::move(state_);
  }

 private:
  // Forgets the steps that the budget cut short, and those after them, if there is clearly more time for them now.
  void repeat_what_was_cut() {
    const auto cut = std::ranges::find_if(state_.steps, &Step::cut_short);
    if (cut == state_.steps.end() || !state_.facts_before_cut) return;
    double repeated_s = 0;
    for (auto step = cut; step != state_.steps.end(); ++step) repeated_s += std::max(step->answer.seconds, 0.0);
    const double left = options_.budget_s - (used_s_ - repeated_s);
    if (options_.budget_s > 0 && left < kMoreTime * repeated_s) return;
    used_s_ -= repeated_s;
    state_.steps.erase(cut, state_.steps.end());
    state_.facts = *std::exchange(state_.facts_before_cut, std::nullopt);
  }

  base::Expected<Step> take(const StepRow& row) {
    Step step{.name = std::string(row.name), .answer = {}, .cut_short = false};
    if (options_.skip.contains(step.name)) {
      step.answer = make_answer(Mark::skipped, "skipped, as requested");
      return step;
    }
    if (state_.facts.phase == kNeverStarted) {
      step.answer = make_answer(Mark::skipped, "not asked: the engine doesn't start");
      return step;
    }
    double allowed = 0;
    if (options_.budget_s > 0) {
      allowed = share_of(row, options_.budget_s - used_s_, options_.skip);
      if (allowed <= 0) {
        step.answer = make_answer(Mark::unknown, "don't know: the budget was used up");
        step.cut_short = true;
        return step;
      }
    }
    const Clock::time_point begin = Clock::now();
    ASSAY_ASSIGN(step, answer(row, allowed));
    step.answer.seconds = base::seconds_since(begin);
    used_s_ += step.answer.seconds;
    return step;
  }

  base::Expected<Step> answer(const StepRow& row, double allowed) {
    Step step{.name = std::string(row.name), .answer = {}, .cut_short = false};
    base::Stop stop(base::Stop::PartOf{stop_});
    std::optional<base::StopAfter> limit;
    if (allowed > 0) limit.emplace(stop, allowed);
    worker::Pool pool(pool_, stop);
    StepContext context{.pool = pool, .log = log_, .stop = stop, .seconds = allowed, .assay = [&](const auto& words) {
                          return options_.assay(words, stop);
                        }};
    Facts facts = state_.facts;
    auto answered = row.answer(task_, facts, context);
    if (stop_.requested()) {
      return base::fail(base::ErrorKind::interrupted, "stopped", task_.folder.string(), "--resume continues");
    }
    const bool over = limit && limit->elapsed();
    if (answered) {
      step.cut_short = over || (state_.facts.minimal.complete && !facts.minimal.complete);
      state_.facts = std::move(facts);
      step.answer = *std::move(answered);
      return step;
    }
    step.cut_short = over;
    step.answer = make_answer(Mark::unknown,
                              over ? fmt::format("don't know: its share of the budget, {:.1f} s, was used up", allowed)
                                   : "don't know: " + answered.error().message());
    return step;
  }

  const Case& task_;
  State state_;
  const DiagnoseOptions& options_;
  worker::Pool& pool_;
  base::Log& log_;
  const base::Stop& stop_;
  double used_s_ = 0;
};

}  // namespace

base::Expected<State> diagnose(const Case& task, State state, const DiagnoseOptions& options, worker::Pool& pool,
                               base::Log& log, const base::Stop& stop) {
  return Diagnosis(task, std::move(state), options, pool, log, stop).run();
}

}  // namespace assay::diagnose
