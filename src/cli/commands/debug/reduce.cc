// `assay debug reduce`: reduces a failing model to a small one that still fails.
//
// Checks options and files before the work begins: a reduction may run for hours, and must not fail at the end because
// its result can't be saved.
#include <fmt/ostream.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/counted.h"
#include "base/files.h"
#include "base/strings.h"
#include "cli/checks/command_with_check.h"
#include "cli/commands/debug/reduce/check_facts.h"
#include "cli/commands/debug/reduce/reduce_journal.h"
#include "cli/commands/debug/reduce/reduction_options.h"
#include "cli/commands/debug/reduce/report_reduction.h"
#include "cli/commands/debug/reduce/repro_options.h"
#include "cli/commands/debug/reduce/run_reduction.h"
#include "cli/commands/debug/reduce/slot_options.h"
#include "cli/commands/debug/reduce/tensor_values.h"
#include "cli/commands/make_commands.h"
#include "cli/options/check_paths.h"
#include "cli/options/data_loader_options.h"
#include "cli/options/format_option.h"
#include "cli/options/iteration_options.h"
#include "cli/options/memory_budget_option.h"
#include "cli/options/model_options.h"
#include "cli/options/model_save_options.h"
#include "cli/options/report_option.h"
#include "cli/steps/first_error.h"
#include "cli/steps/run_inputs.h"
#include "model/copy_model.h"
#include "model/save.h"
#include "model/shapes.h"
#include "model/shapes_by_input.h"
#include "reduce/candidates/count_nodes.h"
#include "reduce/choice_words.h"
#include "reduce/reduce_model.h"
#include "reduce/reduction_json.h"
#include "reduce/values/reference_inputs.h"

namespace assay::cli {
namespace {

class DebugReduce final : public CommandWithCheck {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;
  [[nodiscard]] bool prints_data() const override { return format_.json() && !search_.lists_passes(); }

 private:
  [[nodiscard]] base::Status check_files() const;
  [[nodiscard]] base::Status check_options() const;
  // Returns the requested mode, or the one that fits the other options.
  [[nodiscard]] base::Expected<reduce::Mode> mode(base::Log& log) const;
  // `check`: those of `check_`.
  base::Expected<ReductionTask> make_task(CheckFacts check, Context& context) const;
  base::Expected<int> reduce(const ReductionTask& task, Context& context) const;
  // Does what remains once the result is saved. `saved`: whether that worked.
  base::Expected<int> finish(const ReductionOutcome& outcome, const base::Status& saved, const ReductionSetup& setup,
                             Context& context) const;
  void print_json(const ReductionOutcome& outcome, std::vector<std::string> others, Context& context) const;
  [[nodiscard]] UserValues user_values(const Context& context) const;
  // Writes the report of a reduction that ended without a result, and returns its error.
  base::Error report_missing_result(base::Error error, const ReductionTask& task, Context& context) const;
  base::Status save(const reduce::Reduction& reduction, Context& context) const;
  base::Status write_repro(const reduce::Reduction& reduction, const ReductionTask& task, Context& context) const;
  [[nodiscard]] bool wants_page(const Context& context) const;
  base::Status write_report(const ReductionOutcome& outcome, const pages::ReductionHistory& history,
                            const ReductionTask& task, Context& context) const;

  ModelOptions model_;
  DataLoaderOptions data_;
  ModelSaveOptions save_;
  IterationOptions iterations_;
  ReproOptions repro_;
  SlotOptions slots_;
  ReductionOptions search_;
  CLI::App* app_ = nullptr;
  std::string mode_ = "minimal";
  std::string min_good_;
  MemoryBudgetOption memory_budget_;
  ReportOption report_{"debug reduce"};
  bool no_reduce_inputs_ = false;
  bool no_reduce_outputs_ = false;
  FormatOption format_;
};

}  // namespace

void DebugReduce::add_options(CLI::App& app) {
  // --help shows the groups of options in this order: first those that every reduction needs.
  save_.add_to(app, ModelSaveOptions::Output::optional);
  check_.add_to(app);
  search_.add_to(app);
  iterations_.add_to(app, {.iter_artifact = "polygraphy_debug.onnx", .until = false});
  slots_.add_to(app);
  model_.add_to(app, {.model_type = false,
                      .model_input_shapes = true,
                      .inference = ModelOptions::Inference::opt_out,
                      .fallback_inference = true,
                      .float16 = true});
  data_.add_to(app, DataLoaderOptions::Runs::once);
  app_ = &app;
  app.add_option(
         "--mode", mode_,
         "minimal: reduce to a model of which no node can be removed, in two to three times the checks of a "
         "bisection as a rule; bisect: halve the model once from each end; linear: go node by node from each end. With "
         "--no-reduce-inputs, --no-reduce-outputs or the replay file of a bisection the default is bisect")
      ->check(CLI::IsMember(reduce::words_of(reduce::kModes)))
      ->capture_default_str();
  repro_.add_to(app);
  format_.add_to(app);
  report_.add_to(app);
  memory_budget_.add_to(app,
                        "Limit the memory for recorded tensor values; what exceeds it is stored in temporary files",
                        "Iterative Debugging", "256M");
  app.add_option("--min-good,--minimal-good", min_good_,
                 "Also save the passing candidate closest in size to the result, if any candidate passed")
      ->option_text("FILE");
  CLI::Option* inputs =
      app.add_flag("--no-reduce-inputs", no_reduce_inputs_, "bisect and linear: move only the outputs up");
  app.add_flag("--no-reduce-outputs", no_reduce_outputs_, "bisect and linear: move only the inputs down")
      ->excludes(inputs);
}

// A run must overwrite neither its inputs nor its other outputs.
base::Status DebugReduce::check_files() const {
  const std::string artifact = iterations_.iter_artifact().string();
  if (artifact.find('\n') != std::string::npos) {
    return base::fail(base::ErrorKind::invalid_input, "the name of the candidate file must not contain a line break",
                      "--iter-artifact", "Choose another name");
  }
  const auto journal = search_.journal(save_.output());
  const std::vector<OptionPath> read = files_read(model_, data_);
  std::vector<OptionPath> written = {{"-o", save_.output()},
                                     {"--min-good", min_good_},
                                     {"--iter-artifact", artifact},
                                     {"--journal", journal ? journal->string() : std::string()},
                                     {"--save-debug-replay", iterations_.save_replay().string()},
                                     {"--iter-info", iterations_.info()}};
  ASSAY_TRY(check_paths(written, read));
  return report_.check(std::move(written), read);
}

base::Status DebugReduce::check_options() const {
  ASSAY_TRY(data_.check());
  ASSAY_TRY(check_files());
  if (save_.output().empty() && min_good_.empty()) {
    const bool check_has_it = std::ranges::find(check_.command(), "-o") != check_.command().end();
    return base::fail(base::ErrorKind::invalid_input, "there is no file for the result", "-o, --min-good",
                      check_has_it
                          ? "Put -o before --check: all words after --check are the check's command"
                          : "Give -o FILE for the model that fails, --min-good FILE for one that passes, or both");
  }
  ASSAY_TRY(save_.save_options());
  ASSAY_TRY(format_.check_judge(check_.has_command()));
  const auto journal = search_.journal(save_.output());
  ASSAY_TRY(repro_.check(journal && base::exists(*journal)));
  ASSAY_TRY(check_writable(save_.output(), "-o"));
  ASSAY_TRY(check_writable(min_good_, "--min-good"));
  ASSAY_TRY(check_writable(iterations_.iter_artifact().string(), "--iter-artifact"));
  ASSAY_TRY(check_writable(iterations_.info(), "--iter-info"));
  ASSAY_TRY(iterations_.check());
  return check_writable(iterations_.save_replay().string(), "--save-debug-replay");
}

base::Expected<reduce::Mode> DebugReduce::mode(base::Log& log) const {
  const bool is_chosen = app_->count("--mode") > 0;
  const bool is_one_way = no_reduce_inputs_ || no_reduce_outputs_;
  std::string mode = mode_;
  if (!is_chosen && is_one_way) mode = "bisect";
  if (const auto path = iterations_.setup().load_replay; !is_chosen && path) {
    ASSAY_ASSIGN(const reduce::Replay replay, reduce::Replay::load(*path));
    if (replay.find({.number = 0, .phase = "outputs"}) != nullptr) {
      log.info("The replay file comes from a bisection, so this run uses --mode bisect, too");
      mode = "bisect";
    }
  }
  if (mode == "minimal" && is_one_way) {
    return base::fail(base::ErrorKind::invalid_input, "minimal mode doesn't have this option",
                      no_reduce_inputs_ ? "--no-reduce-inputs" : "--no-reduce-outputs",
                      "Omit it, or use --mode bisect or linear");
  }
  if (const std::vector<std::string> given = search_.given_for_minimal(); mode != "minimal" && !given.empty()) {
    return base::fail(base::ErrorKind::invalid_input, "only minimal mode has this option", base::join(given, ", "),
                      "Omit it, or use --mode minimal");
  }
  return reduce::find_choice(reduce::kModes, mode).value_or(reduce::Mode::minimal);
}

namespace {

reduce::InputShapes sizes_of(const std::map<std::string, Dimensions>& shapes) {
  reduce::InputShapes sizes;
  for (const auto& [name, dimensions] : shapes) {
    tensor::Shape& shape = sizes[name];
    for (const model::Dimension& dimension : dimensions) shape.push_back(dimension.value);
  }
  return sizes;
}

std::map<std::string, Dimensions> dimensions_of(const reduce::InputShapes& shapes) {
  std::map<std::string, Dimensions> all;
  for (const auto& [name, shape] : shapes) {
    Dimensions& dimensions = all[name];
    for (const std::int64_t size : shape) dimensions.push_back({.value = size, .symbol = {}});
  }
  return all;
}

// Warns of ranges for inputs that the model doesn't have: a name may be misspelt. Generators don't say it, since they
// may generate inputs of a part of the model.
void warn_of_unknown_ranges(const model::Model& model, const tensor::GenerateOptions& options, base::Log& log) {
  for (const auto& [name, range] : options.ranges) {
    const auto is_named = [&name = name](const auto& input) { return input.name() == name; };
    if (std::ranges::any_of(model.graph().input(), is_named)) continue;
    log.warning("The model has no input '{}', for which a range is given", name);
  }
}

}  // namespace

base::Expected<int> DebugReduce::run(Context& context) {
  if (search_.lists_passes()) {
    context.out << ReductionOptions::pass_list();
    return kExitPassed;
  }
  ASSAY_TRY(check_options());
  ASSAY_ASSIGN(const reduce::CheckSetup setup, check_.setup());
  CheckFacts check = facts_of_check(setup.command, setup.limits, context);
  for (const std::string& word : words_for_candidates(check.engines, context.log)) check_.add_word(word);
  ASSAY_ASSIGN(const ReductionTask task, make_task(std::move(check), context));
  return reduce(task, context);
}

base::Expected<ReductionTask> DebugReduce::make_task(CheckFacts check, Context& context) const {
  ReductionTask task{.check = std::move(check)};
  task.memory_budget = memory_budget_.bytes();
  ASSAY_ASSIGN(task.mode, mode(context.log));
  ASSAY_ASSIGN(model::Model model, model_.load_as_it_is());
  if (model_.wants_float16()) task.original = std::make_shared<const model::Model>(model);
  ASSAY_TRY(model_.make_float16(model, context.log));
  ASSAY_ASSIGN(const auto given_shapes, model_.input_shapes());
  ASSAY_ASSIGN(const auto shapes, model::shapes_by_input(model, given_shapes, "--model-input-shapes"));
  task.asked_shapes = sizes_of(shapes);
  // Minimal mode searches a model with dynamic dimensions, since the failure may need them, and fixes the inputs later.
  const bool fixes_shapes = task.mode != reduce::Mode::minimal && !shapes.empty();
  if (fixes_shapes) {
    model::override_input_shapes(model, shapes);
    model_.infer_shapes(model, context.log);
  }
  task.is_as_in_file = !fixes_shapes && task.original == nullptr;
  if (const std::string constants = reduce::describe_constants(model); !constants.empty()) {
    context.log.info("The model has {}. {}.", base::counted(reduce::count_all_nodes(model), "node"), constants);
  }
  task.shapes_from_reference = model_.force_fallback_inference();
  task.values_folder = iterations_.iter_artifact().parent_path();
  ASSAY_TRY(take_values(task, model, user_values(context), context.log));
  if (!task.has_inputs) {
    ASSAY_ASSIGN(const tensor::GenerateOptions generated, data_.generate_options());
    warn_of_unknown_ranges(model, generated, context.log);
  }
  task.model = std::make_shared<const model::Model>(std::move(model));
  return task;
}

UserValues DebugReduce::user_values(const Context& context) const {
  return {.given = data_.first_given(),
          .are_loaded = data_.custom(),
          .values = [this, &context](const auto& inputs, const reduce::InputShapes& shapes,
                                     base::Log& log) -> base::Expected<tensor::NamedTensors> {
            ASSAY_ASSIGN(const auto source, data_.source(dimensions_of(shapes), context, log, "--model-input-shapes"));
            ASSAY_ASSIGN(auto values, source->iteration(0, inputs));
            return std::move(values).value_or(tensor::NamedTensors{});
          }};
}

base::Expected<int> DebugReduce::reduce(const ReductionTask& task, Context& context) const {
  pages::ReductionHistory history;
  const ReductionSetup setup{
      .task = task,
      .check = check_,
      .iterations = iterations_,
      .slots = slots_,
      .search = search_,
      .move_outputs = !no_reduce_outputs_,
      .move_inputs = !no_reduce_inputs_,
      .output = save_.output(),
      .infer_shapes = model_.wants_inference(),
      // Inputs that the check loads needn't become part of the result.
      .values = data_.custom() ? task.given_values : tensor::NamedTensors{},
      .reference = [&](Context& limited) { return computed_values(task, user_values(limited), limited); },
      .history = wants_page(context) ? &history : nullptr};
  const base::Expected<ReductionOutcome> found = run_reduction(setup, context);
  if (!found) return base::fail(report_missing_result(found.error(), task, context));
  const ReductionOutcome& outcome = *found;
  const reduce::Reduction& reduction = outcome.reduction;
  const base::Status saved = save(reduction, context);
  std::vector<std::string> others = save_others(outcome.others, save_.output(), context.log);
  report_reduction(reduction, check_.has_command(), context.log);
  if (outcome.drift) context.log.warning("{}", *outcome.drift);
  const base::Status reported = wants_page(context) ? write_report(outcome, history, task, context) : base::Status();
  const base::Expected<int> status = finish(outcome, first_error({saved, reported}, context.log), setup, context);
  if (format_.json() && saved) print_json(outcome, std::move(others), context);
  return status;
}

base::Expected<int> DebugReduce::finish(const ReductionOutcome& outcome, const base::Status& saved,
                                        const ReductionSetup& setup, Context& context) const {
  const ReductionTask& task = setup.task;
  const reduce::Reduction& reduction = outcome.reduction;
  // With values, fewer nodes might remain, but a single one can't become fewer.
  if (const auto message = task.missing->message(); message && reduction.nodes_after > 1) {
    context.log.warning("{}", *message);
  }
  ASSAY_TRY(first_error({reduction.error ? base::fail(*reduction.error) : base::Status(), saved}, context.log));
  if (context.stop.requested()) {
    return base::fail(base::ErrorKind::interrupted, "stopped; the result is the best so far", save_.output(),
                      "The same command resumes");
  }
  // Not after a stop: the command that resumes would find the folder there.
  if (repro_.given()) ASSAY_TRY(write_repro(reduction, task, context));
  // The journal is removed last: if one of the steps above fails, the same command can be run again without checks.
  remove_journal(setup, context);
  return kExitPassed;
}

void DebugReduce::print_json(const ReductionOutcome& outcome, std::vector<std::string> others, Context& context) const {
  const reduce::Reduction& reduction = outcome.reduction;
  const reduce::ReductionFiles files{.model = save_.output(),
                                     .passing = reduction.passing != nullptr ? min_good_ : std::string(),
                                     .repro = context.stop.requested() ? std::string() : repro_.folder(),
                                     .others = std::move(others)};
  fmt::print(context.out, "{}\n", reduce::to_json(reduction, outcome.others, remaining_nodes(reduction), files));
}

base::Error DebugReduce::report_missing_result(base::Error error, const ReductionTask& task, Context& context) const {
  if (task.original != nullptr) {
    context.log.info("The checks ran on the model in float16; `assay convert --fp-to-fp16` saves it for runs by hand");
  }
  return report_.write_failure(std::move(error), model_.file(), task.check.engines, context);
}

base::Status DebugReduce::write_repro(const reduce::Reduction& reduction, const ReductionTask& task,
                                      Context& context) const {
  ReproOptions::Failing failing{.model = *reduction.model, .check = check_.command(), .given = task.given_values};
  if (reduction.verbatim) failing.verbatim = model_.file();
  failing.summary = fmt::format("{} of {} of {} {} after `assay debug reduce`.", reduction.nodes_after,
                                base::counted(reduction.nodes_before, "node"),
                                std::filesystem::path(model_.file()).filename().string(),
                                reduction.nodes_after == 1 ? "remains" : "remain");
  failing.verdict = reduction.verdict;
  std::size_t failures = 0;
  for (const reduce::Verdict& verdict : reduction.confirmation) {
    if (verdict.kind != reduce::Verdict::Kind::fails) continue;
    failing.verdict = verdict;
    ++failures;
  }
  if (failures < reduction.confirmation.size()) {
    failing.summary += fmt::format(" The failure is intermittent: the model failed in {} of {} runs.", failures,
                                   reduction.confirmation.size());
  }
  if (check_.has_command())
    failing.commands =
        commands_on_result(check_.command(), iterations_.iter_artifact(), repro_.model(), context.installation);
  return repro_.save(failing, context);
}

bool DebugReduce::wants_page(const Context& context) const {
  return report_.given() || context.page != nullptr;
}

base::Status DebugReduce::write_report(const ReductionOutcome& outcome, const pages::ReductionHistory& history,
                                       const ReductionTask& task, Context& context) const {
  pages::ReductionFacts facts{.reduction = outcome.reduction,
                              .history = history,
                              .others = outcome.others,
                              .file = save_.output(),
                              .stopped = context.stop.requested()};
  if (check_.has_command() && !facts.file.empty())
    facts.commands =
        commands_on_result(check_.command(), iterations_.iter_artifact(), facts.file, context.installation);
  report::Page page = pages::reduction_page(facts);
  if (context.page != nullptr) *context.page = page;
  return report_.write(std::move(page), model_.file(), task.check.engines, context);
}

base::Status DebugReduce::save(const reduce::Reduction& reduction, Context& context) const {
  if (!save_.output().empty() && reduction.verbatim) {
    ASSAY_TRY(model::copy_model(*reduction.model, save_.output()));
    context.log.info("Copied the model to {}", save_.output());
  } else if (!save_.output().empty()) {
    ASSAY_TRY(save_.save(*reduction.model, context.log));
  }
  if (min_good_.empty()) return {};
  if (reduction.passing == nullptr) {
    context.log.warning("No candidate passed, so nothing is saved to {}", min_good_);
    return {};
  }
  ASSAY_ASSIGN(model::SaveOptions options, save_.save_options());
  if (!save_.output().empty()) options = model::options_for_another(options, "good_");
  ASSAY_TRY(model::save(*reduction.passing, min_good_, options, context.log));
  context.log.info("Saved a model of {} that passes to {}",
                   base::counted(reduce::count_all_nodes(*reduction.passing), "node"), min_good_);
  return {};
}

std::unique_ptr<Command> make_debug_reduce() {
  return std::make_unique<DebugReduce>();
}

}  // namespace assay::cli
