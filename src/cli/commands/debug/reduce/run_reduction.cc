// Connects the options to reduce_model().
#include "cli/commands/debug/reduce/run_reduction.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "base/counted.h"
#include "base/seconds.h"
#include "base/stop_after.h"
#include "cli/commands/debug/reduce/reduce_journal.h"
#include "cli/commands/debug/reduce/reduction_status.h"
#include "cli/commands/debug/reduce/report_reduction.h"
#include "cli/commands/debug/reduce/search.h"
#include "cli/commands/debug/reduce/unresolved_notice.h"
#include "reduce/judge/ask_person.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;

// `is_first`: see CheckSetup::is_first.
base::Expected<std::unique_ptr<reduce::SlotJudges>> judges_of(const ReductionSetup& setup,
                                                              std::function<bool()> is_first, Context& context) {
  const model::Model& model = *setup.task.model;
  if (setup.check.has_command()) {
    return make_judges(setup.check, setup.iterations, setup.slots, model, setup.task.is_as_in_file, std::move(is_first),
                       context);
  }
  if (setup.slots.jobs() > 1)
    context.log.warning("--jobs {} is ignored, since a person judges the candidates", setup.slots.jobs());
  const fs::path artifact = setup.iterations.iter_artifact();
  return reduce::SlotJudges::make(
      {.artifact = artifact,
       .slots = 1,
       .weights = setup.slots.weights(),
       .keep = setup.iterations.keeps_iter_artifact(),
       .leave = setup.iterations.sorts_iter_artifact()},
      model,
      [person = std::make_shared<reduce::Person>(STDIN_FILENO, context.out)](
          const fs::path& file, const base::Stop& stop) { return person->ask_about_model(file, stop); },
      context.stop, context.log);
}

base::Expected<reduce::ReduceOptions> search_options(const ReductionSetup& setup) {
  ASSAY_ASSIGN(reduce::ReduceOptions search, setup.search.reduce_options());
  search.mode = setup.task.mode;
  search.whole_first = setup.search.same_failure(setup.task.mode) != reduce::SameFailure::any;
  search.outputs = setup.move_outputs;
  search.inputs = setup.move_inputs;
  if (setup.task.freezes && !setup.search.has_values()) search.values = reduce::CutValues::freeze;
  search.infer_shapes = setup.infer_shapes;
  search.shapes_from_reference = setup.task.shapes_from_reference;
  search.fixed_inputs = setup.task.asked_shapes;
  return search;
}

// Returns the error of a run that was stopped before it had a result. `verdicts`: their number in the journal.
base::Error stopped_early(std::size_t verdicts) {
  return {base::ErrorKind::interrupted,
          "stopped before any check failed",
          {},
          verdicts == 0 ? "The same command resumes; no check has ended yet, so it starts with the first one. If the "
                          "check hangs, add --check-timeout"
                        : fmt::format("The same command resumes, and repeats none of the {} that have ended",
                                      base::counted(verdicts, "check"))};
}

// Knows for how long the latest check has been running.
class CheckClock {
 public:
  void update(const reduce::Progress& progress) {
    since_ = progress.ended ? std::nullopt : std::optional(std::chrono::steady_clock::now());
  }
  // Returns "a check was still running, after 1.5 s"; empty if none was.
  [[nodiscard]] std::string describe() const {
    return since_ ? fmt::format("a check was still running, after {:.1f} s", base::seconds_since(*since_)) : "";
  }

 private:
  std::optional<std::chrono::steady_clock::time_point> since_;
};

// Ends a reduction that has no result: removes verdicts that no later run can use, and returns the error for the user.
// `time_is_up`: --time-limit has passed. `running`: CheckClock::describe() at that time.
base::Error end_without_result(base::Error error, bool time_is_up, const std::string& running,
                               const reduce::FailureFilter& filter, std::optional<reduce::Journal> journal,
                               const ReductionSetup& setup, const Context& context) {
  const bool stopped = error.kind == base::ErrorKind::interrupted;
  if (journal) {
    const std::size_t verdicts = journal->size();
    // If nothing failed, the user will correct the check or the model, so its verdicts are useless.
    const bool useless = verdicts == 0 || (!filter.reference() && !stopped);
    if (useless) remove_verdicts(*std::move(journal), setup, context);
    if (stopped && !time_is_up) return stopped_early(verdicts);
  }
  if (!stopped || !time_is_up) return error;
  return {base::ErrorKind::invalid_input, "the time was up before any check failed", "--time-limit",
          running.empty() ? "Allow more time" : "Allow more time: " + running};
}

// Returns what to do if a check hangs; empty if it has a time limit.
base::Expected<std::string> advice_on_hangs(const ReductionSetup& setup, bool has_journal) {
  ASSAY_ASSIGN(const reduce::CheckSetup check, setup.check.setup());
  if (check.limits.time_s) return std::string();
  return fmt::format(
      "If a check hangs, press Ctrl-C and run the same command with --check-timeout SECONDS before --check.{}",
      has_journal ? " It reuses the verdicts so far." : "");
}

}  // namespace

base::Expected<ReductionOutcome> run_reduction(const ReductionSetup& setup, Context& context) {
  base::Stop stop(base::Stop::PartOf{context.stop});
  std::optional<base::StopAfter> limit;
  if (const auto seconds = setup.search.time_limit_s()) limit.emplace(stop, *seconds);
  worker::Pool pool(context.pool, stop);
  Context limited{context.log, context.out, stop, pool, context.installation, context.words};

  ASSAY_ASSIGN(const reduce::ReduceOptions search, search_options(setup));
  bool is_first = false;
  ASSAY_ASSIGN(const auto judges, judges_of(
                                      setup, [&is_first] { return is_first; }, limited));
  ASSAY_ASSIGN(reduce::Iterations iterations,
               reduce::Iterations::make(setup.iterations.setup(), std::chrono::system_clock::now(), context.log));
  ASSAY_ASSIGN(std::optional<reduce::Journal> journal, open_journal(setup, context));
  is_first = (!journal || journal->size() == 0) && !setup.iterations.setup().load_replay;
  reduce::FailureFilter filter(setup.search.same_failure(setup.task.mode), context.log,
                               limits_of_saved_outputs(setup.task));
  std::optional<ReductionStatus> status;  // nothing is drawn over a question to a person
  if (setup.check.has_command()) {
    ASSAY_ASSIGN(std::string advice, advice_on_hangs(setup, journal.has_value()));
    status.emplace(context.log, std::move(advice));
  }
  CheckClock clock;
  UnresolvedNotice unresolved;
  const auto show_progress = [&](const reduce::Progress& progress) {
    clock.update(progress);
    if (status) status->update(progress);
    if (const auto text = unresolved.update(progress)) context.log.warning("{}", *text);
    if (setup.history != nullptr) setup.history->add(progress);
  };
  auto reduction = run({.task = setup.task,
                        .options = search,
                        .judges = *judges,
                        .filter = filter,
                        .journal = journal ? &*journal : nullptr,
                        .iterations = &iterations,
                        .show_progress = show_progress,
                        .reference = setup.reference(limited),
                        .values = setup.values},
                       limited);
  const std::string running = clock.describe();
  status.reset();
  const bool time_is_up = limit && limit->elapsed() && !context.stop.requested();
  if (!reduction) {
    save_others(filter.others(), setup.output, context.log);
    return base::fail(end_without_result(std::move(reduction).error(), time_is_up, running, filter, std::move(journal),
                                         setup, context));
  }
  if (time_is_up && reduction->stop_reason == reduce::Reduction::StopReason::stopped && !running.empty()) {
    context.log.info("When the time of --time-limit was up, {}", running);
  }
  std::optional<std::string> drift = filter.describe_drift(reduction->failure);
  return ReductionOutcome{.reduction = *std::move(reduction), .others = filter.others(), .drift = std::move(drift)};
}

}  // namespace assay::cli
