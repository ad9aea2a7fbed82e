// Translates the options of the command.
#include "cli/commands/debug/reduce/run_reduction.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "cli/checks/sees_candidates.h"
#include "cli/commands/debug/reduce/reduce_journal.h"
#include "cli/commands/debug/reduce/reduction_status.h"
#include "cli/commands/debug/reduce/report_reduction.h"
#include "cli/commands/debug/reduce/search.h"
#include "reduce/judge/ask_person.h"
#include "reduce/judge/command_for.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;

// Returns why checks can't run at once, or nothing if they can.
std::optional<std::string> why_alone(const reduce::CheckSetup& check, const IterationOptions& iterations,
                                     const Installation& installation) {
  if (iterations.has_artifacts()) return "--artifacts sorts the files of one check at a time";
  if (iterations.setup().info) return "--iter-info describes one iteration at a time";
  return reduce::why_alone(check.command, check.artifact, installation.engines.path);
}

// `is_first`: see CheckSetup::is_first.
base::Expected<std::unique_ptr<reduce::SlotJudges>> judges_of(const ReductionSetup& setup,
                                                              std::function<bool()> is_first, Context& context) {
  const model::Model& model = *setup.task.model;
  const int jobs = setup.slots.jobs();
  reduce::SlotSetup slots{.artifact = setup.iterations.iter_artifact(),
                          .slots = jobs,
                          .weights = setup.slots.weights(),
                          .keep = setup.iterations.keeps_iter_artifact(),
                          .leave = setup.iterations.sorts_iter_artifact()};
  if (setup.check.has_command()) {
    ASSAY_ASSIGN(reduce::CheckSetup check, setup.check.setup());
    check.artifact = slots.artifact;
    check.whole = model.path;
    check.whole_fails = setup.task.is_as_in_file;
    check.is_first = std::move(is_first);
    ASSAY_TRY(verify_sees_candidates(check, context.installation, context.log));
    if (const auto why = jobs > 1 ? why_alone(check, setup.iterations, context.installation) : std::nullopt) {
      context.log.warning("--jobs {} is ignored, and one check runs at a time: {}", jobs, *why);
      slots.slots = 1;
    }
    return judges_by_command(std::move(check), slots, model, context);
  }
  if (jobs > 1) context.log.warning("--jobs {} is ignored, since a person judges the candidates", jobs);
  slots.slots = 1;
  return reduce::SlotJudges::make(
      slots, model,
      [person = std::make_shared<reduce::Person>(STDIN_FILENO, context.out)](
          const fs::path& file, const base::Stop& stop) { return person->ask_about_model(file, stop); },
      context.stop, context.log);
}

base::Expected<reduce::ReduceOptions> search_options(const ReductionSetup& setup) {
  ASSAY_ASSIGN(reduce::ReduceOptions search, setup.search.reduce_options());
  search.mode = setup.task.mode;
  search.outputs = setup.move_outputs;
  search.inputs = setup.move_inputs;
  search.values = setup.search.values().value_or(setup.task.usual_values);
  search.infer_shapes = setup.infer_shapes;
  search.shapes_from_reference = setup.task.shapes_from_reference;
  search.fixed_inputs = setup.task.asked_shapes;
  return search;
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
  ASSAY_ASSIGN(const reduce::ReduceOptions options, search_options(setup));
  ASSAY_ASSIGN(reduce::Iterations iterations,
               reduce::Iterations::make(setup.iterations.setup(), std::chrono::system_clock::now(), context.log));
  ASSAY_ASSIGN(std::optional<reduce::JournalFile> journal, journal_file(setup, context));
  reduce::FailureFilter filter(setup.search.same_failure(setup.task.mode), context.log,
                               limits_of_saved_outputs(setup.task));
  std::optional<ReductionStatus> status;  // nothing is drawn over a question to a person
  if (setup.check.has_command()) {
    ASSAY_ASSIGN(std::string advice, advice_on_hangs(setup, journal.has_value()));
    status.emplace(context.log, std::move(advice));
  }
  const auto show_progress = [&](const reduce::Progress& progress) {
    if (status) status->update(progress);
    if (setup.history != nullptr) setup.history->add(progress);
  };
  auto reduction = run({.task = setup.task,
                        .options = options,
                        .filter = filter,
                        .judges = [&](std::function<bool()> is_first,
                                      Context& limited) { return judges_of(setup, std::move(is_first), limited); },
                        .reference = setup.reference,
                        .journal = std::move(journal),
                        .iterations = &iterations,
                        .replays = setup.iterations.setup().load_replay.has_value(),
                        .time_limit_s = setup.search.time_limit_s(),
                        .show_progress = show_progress,
                        .values = setup.values},
                       context);
  status.reset();
  if (!reduction) {
    save_others(filter.others(), setup.output, context.log);
    return base::fail(std::move(reduction).error());
  }
  std::optional<std::string> drift = filter.describe_drift(reduction->failure);
  return ReductionOutcome{.reduction = *std::move(reduction), .others = filter.others(), .drift = std::move(drift)};
}

}  // namespace assay::cli
