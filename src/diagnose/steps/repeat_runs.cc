// Is it deterministic? The same inputs again and again: in one session, in a second one, and with one thread. Small
// differences are common, as threads add numbers in another order, so only those beyond the tolerances count. If all
// nodes that draw random numbers have a seed, runs of one session differ, but a second session has to repeat them.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "backend/engine_table.h"
#include "diagnose/commands.h"
#include "diagnose/steps.h"
#include "diagnose/steps/note_refusal.h"
#include "diagnose/trial.h"
#include "locate/repeats_in_new_sessions.h"

namespace assay::diagnose {
namespace {

using report::Mark;

constexpr int kSessions = 2;

// Copies the first outputs as often as runs are compared with them.
TensorsByIteration first_of(const TensorsByIteration& outputs, int runs) {
  TensorsByIteration first;
  for (std::size_t i = 0; i < outputs.size(); ++i) first.push_back(outputs[i - i % static_cast<std::size_t>(runs)]);
  return first;
}

struct Spread {
  std::optional<Trial> failed{};  // the engine doesn't run the model this time; the rest isn't known then
  Comparison worst{};
  Comparison with_one_thread{};
  bool has_one_thread = false;
};

base::Expected<Spread> spread_of(const Case& task, const run::EngineSetup& engine, int runs, StepContext& context) {
  Spread spread;
  TensorsByIteration first;
  const bool continues = locate::repeats_in_new_sessions(task.model);
  for (int session = 0; session < kSessions; ++session) {
    ASSAY_ASSIGN(const Trial trial, try_engine(engine, task, context, {.repeats = runs}));
    if (!trial.runs()) return Spread{.failed = trial};
    if (first.empty()) first = continues ? trial.outputs : first_of(trial.outputs, runs);
    const Comparison comparison = compare(trial.outputs, first, task.plan);
    if (!comparison.agrees || (spread.worst.agrees && comparison.absolute > spread.worst.absolute)) {
      spread.worst = comparison;
    }
  }
  const auto options = options_for(engine, &backend::EngineRow::one_thread);
  spread.has_one_thread = !options.empty();
  if (!spread.has_one_thread || spread.worst.agrees) return spread;
  ASSAY_ASSIGN(const Trial trial, try_engine(with_options(engine, options), task, context, {.repeats = runs}));
  if (!trial.runs()) return spread;
  if (!continues) first = first_of(trial.outputs, runs);
  spread.with_one_thread = compare(trial.outputs, first, task.plan);
  return spread;
}

}  // namespace

base::Expected<report::PageStep> repeat_runs(const Case& task, Facts& facts, StepContext& context) {
  if (facts.failure != Failure::none) return make_answer(Mark::skipped, "not asked: the model doesn't run");
  const int runs = repeats_of(facts.slowest_s);
  report::PageTable table{.title = fmt::format("Spread over {} runs in each of {} sessions", runs, kSessions),
                          .columns = {"Runner", "Largest difference", "Verdict"},
                          .rows = {}};
  report::PageStep answer = make_answer(Mark::good, "yes: every run has the same outputs");
  double largest = 0;
  for (std::size_t i = 0; i < task.sides.size(); ++i) {
    const Side& side = task.sides[i];
    if (!side.is_given) continue;
    ASSAY_ASSIGN(const Spread spread, spread_of(task, side.setup, runs, context));
    if (spread.failed) {
      table.rows.push_back({side.setup.runner, "", in_few_words(*spread.failed)});
      if (facts.failure != Failure::none) continue;
      note_refusal(task, static_cast<int>(i), *spread.failed, facts);
      answer = make_answer(Mark::bad, "no: " + describe_refusal(task, facts));
      continue;
    }
    std::string verdict = spread.worst.agrees ? "within the tolerances" : spread.worst.text;
    if (!spread.worst.agrees && spread.has_one_thread) {
      verdict += spread.with_one_thread.agrees ? "; not with one thread" : "; with one thread, too";
    }
    table.rows.push_back({side.setup.runner, fmt::format("{:.3g}", spread.worst.absolute), verdict});
    largest = std::max(largest, spread.worst.absolute);
    if (spread.worst.agrees || facts.failure != Failure::none) continue;
    facts.failure = Failure::random;
    facts.faulty_side = facts.good_side = static_cast<int>(i);
    facts.output = spread.worst.output;
    facts.message = spread.worst.text;
    answer = make_answer(Mark::bad, fmt::format("no: {}: {}", name_of(task, facts, facts.faulty_side), verdict));
  }
  if (facts.failure == Failure::none && largest > 0) {
    answer.answer = fmt::format("yes, within the tolerances: runs differ by up to {:.3g}", largest);
  }
  answer.tables.push_back(std::move(table));
  return answer;
}

}  // namespace assay::diagnose
