// Connects the options to reduce_model(), and words its outcome.
#include "cli/commands/debug/reduce/run_reduction.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "base/abandoned_files.h"
#include "base/counted.h"
#include "base/seconds.h"
#include "base/stop_after.h"
#include "cli/commands/debug/reduce/reduce_journal.h"
#include "cli/commands/debug/reduce/reduction_status.h"
#include "cli/commands/debug/reduce/search.h"
#include "cli/commands/debug/reduce/unresolved_notice.h"
#include "model/save.h"
#include "model/source_line.h"
#include "reduce/candidates/count_nodes.h"
#include "reduce/judge/ask_person.h"
#include "reduce/judge/signature.h"
#include "report/list_nodes.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kListedNodes = 10;

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

// "reduced.onnx" -> "reduced.other-1.onnx"
fs::path other_path(const fs::path& output, std::size_t number) {
  return output.parent_path() /
         fmt::format("{}.other-{}{}", output.stem().string(), number, output.extension().string());
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

// Warns of nodes that the claim doesn't cover, and of what the result has besides nodes.
// `by_command`: a command judged the candidates, not a person.
void report_limits(const reduce::Reduction& reduction, bool by_command, base::Log& log) {
  for (const std::string& node : reduction.untried) log.warning("No model without this node could be built: {}", node);
  if (reduction.empty_fails && !by_command) {
    log.warning("By your answer, a model without any node fails, too, so the failure needs none of the nodes.");
  } else if (reduction.empty_fails) {
    log.warning(
        "A model without any node fails the check, too. Does the check test what you mean it to test? If only the "
        "message shows your failure, --same-failure strict or --fail-regex keeps to it.");
  }
  for (const std::string& function : reduction.uncalled_functions) {
    log.warning("The local function '{}' remains. No node calls it, but without it the failure disappears.", function);
  }
}

// Returns whether Constant nodes of the result count as nodes.
report::ListConstants listed_constants(const reduce::Reduction& reduction) {
  const bool constants_count = reduction.nodes_after > reduce::count_all_nodes(*reduction.model);
  return constants_count ? report::ListConstants::yes : report::ListConstants::no;
}

// Returns what to do if a check hangs; empty if it has a time limit.
base::Expected<std::string> advice_on_hangs(const ReductionSetup& setup, bool has_journal) {
  ASSAY_ASSIGN(const reduce::CheckSetup check, setup.check.setup());
  if (check.limits.time_s) return std::string();
  return fmt::format(
      "If a check hangs, press Ctrl-C and run the same command with --check-timeout SECONDS before --check.{}",
      has_journal ? " It reuses the verdicts so far." : "");
}

void report_earlier(const reduce::TrialCounts& counts, base::Log& log) {
  if (counts.replayed == 0) return;
  log.info("{} of an earlier run ({} failed, {} unresolved) were reused from the journal or the replay file",
           base::counted(counts.replayed, "more verdict"), counts.replayed_failing, counts.replayed_unresolved);
}

}  // namespace

std::vector<std::string> save_others(const std::vector<reduce::OtherFailure>& others, const fs::path& output,
                                     base::Log& log) {
  std::vector<std::string> files(others.size());
  for (std::size_t i = 0; i < others.size(); ++i) {
    const reduce::OtherFailure& other = others[i];
    log.warning("Another failure occurred {}: {}", base::counted(other.times, "time"),
                reduce::describe_with_headline(other.signature));
    if (output.empty()) continue;
    const fs::path path = other_path(output, i + 1);
    base::remove_abandoned(path);
    if (const base::Status saved = model::save(*other.model, path, {}, log); !saved) {
      log.warning("    its smallest model couldn't be saved: {}", saved.error().message());
    } else {
      log.warning("    its smallest model, of {}, is in {}", base::counted(other.nodes, "node"), path.string());
      files[i] = path.string();
    }
  }
  return files;
}

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
  auto reduction = run({.task = setup.task,
                        .options = search,
                        .judges = *judges,
                        .filter = filter,
                        .journal = journal ? &*journal : nullptr,
                        .iterations = &iterations,
                        .show_progress =
                            [&](const reduce::Progress& progress) {
                              clock.update(progress);
                              if (status) status->update(progress);
                              if (const auto text = unresolved.update(progress)) context.log.warning("{}", *text);
                              if (setup.history != nullptr) setup.history->add(progress);
                            },
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

std::vector<std::string> remaining_nodes(const reduce::Reduction& reduction) {
  const report::NodeList list =
      report::list_nodes(*reduction.model, std::numeric_limits<std::size_t>::max(), listed_constants(reduction));
  std::vector<std::string> nodes;
  for (const report::ListedNode& listed : list.nodes) {
    nodes.push_back(model::describe_with_source(*listed.node, listed.index));
  }
  return nodes;
}

void report_reduction(const reduce::Reduction& reduction, bool by_command, Context& context) {
  std::string text =
      fmt::format("Reduced {} to {}.", base::counted(reduction.nodes_before, "node"), reduction.nodes_after);
  const std::string ending = reduction.verbatim ? "" : pages::how_it_ended(reduction);
  if (!ending.empty()) text += fmt::format(" {}", ending);
  for (const std::string& line : report::describe_nodes(*reduction.model, kListedNodes, listed_constants(reduction))) {
    text += "\n    " + line;
  }
  context.log.info("{}", text);
  if (by_command && !reduction.verdict.text.empty()) {
    context.log.info("The result fails: {}", reduce::describe_with_headline(reduction.failure));
  }
  report_limits(reduction, by_command, context.log);

  std::string table = fmt::format("{:<24}{:>8}{:>9}{:>15}", "Pass", "Checks", "Failing", "Nodes removed");
  for (const reduce::PassCounts& pass : reduction.passes) {
    table += fmt::format("\n    {:<24}{:>8}{:>9}{:>15}", pass.pass, pass.checks, pass.failing, pass.nodes_removed);
  }
  if (!reduction.passes.empty()) context.log.info("{}", table);

  constexpr int kSuspicious = 6;
  if (reduction.counts.asked() >= kSuspicious && reduction.counts.all_failing() == reduction.counts.asked()) {
    context.log.warning("Every candidate failed. {}", by_command ? "Does the check pass on any model?"
                                                                 : "If a part of the model works, answer p for it.");
  }
  const auto failed = std::ranges::count(reduction.confirmation, reduce::Verdict::Kind::fails, &reduce::Verdict::kind);
  if (!reduction.confirmation.empty()) {
    const auto runs = static_cast<int>(reduction.confirmation.size());
    const reduce::Interval chance = reduce::failure_chance(static_cast<int>(failed), runs);
    context.log.info("The result failed in {} of {} more runs{}", failed, runs,
                     runs == 1 ? ""
                               : fmt::format(" (its probability of failing is {:.0f} to {:.0f} %)", chance.low * 100,
                                             chance.high * 100));
  }
  const reduce::TrialCounts& counts = reduction.counts;
  context.log.info("{} ({} failed, {} unresolved{}) took {:.2f} s; {:.2f} s in all",
                   base::counted(counts.checks, "check"), counts.failing, counts.unresolved,
                   counts.ahead == 0   ? ""
                   : counts.ahead == 1 ? "; 1 more was started ahead and not needed"
                                       : fmt::format("; {} more were started ahead and not needed", counts.ahead),
                   counts.check_seconds, reduction.seconds);
  report_earlier(counts, context.log);
}

}  // namespace assay::cli
