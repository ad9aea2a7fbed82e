#include "cli/commands/debug/reduce/search.h"

#include <fmt/format.h>

#include <chrono>
#include <string>
#include <utility>

#include "base/counted.h"
#include "base/seconds.h"
#include "base/stop_after.h"
#include "cli/checks/check_runner.h"
#include "cli/commands/debug/reduce/unresolved_notice.h"

namespace assay::cli {
namespace {

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

// Ends a search that has no result: removes verdicts that no later run can use, and returns the error for the user.
// `time_is_up`: the time limit has passed. `running`: CheckClock::describe() at that time.
base::Error end_without_result(base::Error error, bool time_is_up, const std::string& running, const Search& search,
                               std::optional<reduce::Journal> journal, base::Log& log) {
  const bool stopped = error.kind == base::ErrorKind::interrupted;
  if (journal) {
    const std::size_t verdicts = journal->size();
    // If nothing failed, the user will correct the check or the model, so its verdicts are useless.
    const bool useless = verdicts == 0 || (!search.filter.reference() && !stopped);
    if (useless) reduce::discard_verdicts(*std::move(journal), *search.journal, log);
    if (stopped && !time_is_up) return stopped_early(verdicts);
  }
  if (!stopped || !time_is_up) return error;
  return {base::ErrorKind::invalid_input, "the time was up before any check failed", "--time-limit",
          running.empty() ? "Allow more time" : "Allow more time: " + running};
}

base::Expected<std::optional<reduce::Journal>> open_journal(const Search& search, base::Log& log) {
  if (!search.journal) return std::nullopt;
  return reduce::resume_journal(*search.journal, log);
}

}  // namespace

base::Expected<std::unique_ptr<reduce::SlotJudges>> judges_by_command(reduce::CheckSetup check,
                                                                      const reduce::SlotSetup& slots,
                                                                      const model::Model& original, Context& context) {
  constexpr std::size_t kEngines = 2;  // that a check with `assay run` usually compares
  context.pool.keep_warm(kEngines * static_cast<std::size_t>(slots.slots));
  ASSAY_ASSIGN(
      reduce::CheckCommand command,
      reduce::CheckCommand::make(std::move(check), check_runner(context.installation, context.pool), context.log));
  auto judge = [command = std::move(command)](const auto& path, const base::Stop& end) {
    return command.run(path, end);
  };
  return reduce::SlotJudges::make(slots, original, std::move(judge), context.stop, context.log);
}

base::Expected<reduce::Reduction> run(const Search& search, Context& context) {
  base::Stop stop(base::Stop::PartOf{context.stop});
  std::optional<base::StopAfter> limit;
  if (search.time_limit_s) limit.emplace(stop, *search.time_limit_s);
  worker::Pool pool(context.pool, stop);
  Context limited{context.log, context.out, stop, pool, context.installation, context.words};

  bool is_first = false;
  ASSAY_ASSIGN(const auto judges, search.judges([&is_first] { return is_first; }, limited));
  ASSAY_ASSIGN(std::optional<reduce::Journal> journal, open_journal(search, context.log));
  is_first = (!journal || journal->size() == 0) && !search.replays;
  reduce::FileJudge judge_file;
  if (search.task.is_as_in_file && judges->can_judge_original()) {
    judge_file = [&judges] { return judges->judge_original(); };
  }
  CheckClock clock;
  UnresolvedNotice unresolved;
  const auto show_progress = [&](const reduce::Progress& progress) {
    clock.update(progress);
    if (const auto text = unresolved.update(progress)) context.log.warning("{}", *text);
    if (search.show_progress) search.show_progress(progress);
  };
  auto reduction = reduce::reduce_model(
      search.task.model, search.options,
      {.explore = {.judges = *judges,
                   .journal = journal ? &*journal : nullptr,
                   .iterations = search.iterations,
                   .log = context.log,
                   .stop = stop,
                   .filter = &search.filter,
                   .show_progress = show_progress},
       .reference = search.reference(limited),
       .judge_file = judge_file,
       .values = search.values,
       .keeps_values = [&] { return search.task.check.saved.has_value() && search.filter.may_be_difference(); }});
  const std::string running = clock.describe();
  const bool time_is_up = limit && limit->elapsed() && !context.stop.requested();
  if (!reduction) {
    return base::fail(
        end_without_result(std::move(reduction).error(), time_is_up, running, search, std::move(journal), context.log));
  }
  if (time_is_up && reduction->stop_reason == reduce::Reduction::StopReason::stopped && !running.empty()) {
    context.log.info("When the time of --time-limit was up, {}", running);
  }
  return reduction;
}

}  // namespace assay::cli
