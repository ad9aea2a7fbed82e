// `assay diagnose`: asks questions about a model in an engine, one after another, and sums the answers up.
//
// Turns the options into a case, resumes the journal of the folder, and runs the steps. The reduction is a command of
// its own, which runs inside this process like a check does.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/absolute_path.h"
#include "base/shell_text.h"
#include "cli/commands/diagnose/ask_questions.h"
#include "cli/commands/make_commands.h"
#include "cli/context/command.h"
#include "cli/options/check_paths.h"
#include "cli/options/compare_options.h"
#include "cli/options/data_loader_options.h"
#include "cli/options/engine_options.h"
#include "cli/options/format_option.h"
#include "cli/options/model_options.h"
#include "cli/options/refused_options.h"
#include "cli/options/report_option.h"
#include "cli/options/tensorrt_options.h"
#include "cli/options/validators.h"
#include "cli/parse/given_words.h"
#include "cli/steps/fit_profiles.h"
#include "cli/steps/run_inputs.h"
#include "cli/terminal/console_log.h"
#include "diagnose/case.h"
#include "diagnose/conclusion.h"
#include "diagnose/diagnose.h"
#include "diagnose/fill_case.h"
#include "diagnose/folder.h"
#include "diagnose/journal.h"
#include "diagnose/page.h"
#include "diagnose/report_json.h"
#include "diagnose/report_text.h"
#include "diagnose/state.h"
#include "run/is_reference.h"

namespace assay::cli {
namespace {

class Diagnose final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;
  [[nodiscard]] bool prints_data() const override { return format_.json(); }

 private:
  base::Status check_options() const;
  [[nodiscard]] std::vector<std::string> run_words() const;
  // Writes a report of the steps that had ended before the user stopped the diagnosis, if one was requested. Returns
  // the error, and logs if the report can't be written.
  base::Error report_stopped(const diagnose::Case& task, base::Error error, Context& context) const;
  [[nodiscard]] std::string next(const diagnose::State& state, const Context& context) const;
  base::Expected<int> report(const diagnose::Case& task, const diagnose::State& state, Context& context) const;

  ModelOptions model_;
  EngineOptions engines_;
  DataLoaderOptions loader_;
  ComparisonOptions comparison_;
  RefusedOptions refused_;
  FormatOption format_;
  CLI::App* app_ = nullptr;
  std::string load_outputs_;
  std::string folder_;
  double budget_s_ = 0;
  std::vector<std::string> skip_;
  bool resume_ = false;
  ReportOption report_{"diagnose"};
};

namespace fs = std::filesystem;
using base::ErrorKind;
using base::fail;

constexpr auto kGroup = "Diagnosis";

std::vector<std::string> step_names() {
  std::vector<std::string> names;
  for (const diagnose::StepRow& row : diagnose::steps()) names.emplace_back(row.name);
  return names;
}

// A module that doesn't exist would be diagnosed as an engine that doesn't start.
base::Status check_modules(const std::vector<run::EngineSetup>& engines) {
  for (const run::EngineSetup& engine : engines) {
    const auto module = engine.spec.options.find("module");
    if (module == engine.spec.options.end() || run::is_reference(engine.spec)) continue;
    std::error_code ignored;
    if (fs::exists(module->second, ignored)) continue;
    return fail(ErrorKind::not_found, "there is no such Python module", module->second,
                "Give the path of a .py file that has load() and infer()");
  }
  return {};
}

std::vector<run::EngineSetup> engines_of(const diagnose::Case& task) {
  std::vector<run::EngineSetup> engines;
  for (const diagnose::Side& side : task.sides) engines.push_back(side.setup);
  return engines;
}

}  // namespace

void Diagnose::add_options(CLI::App& app) {
  app_ = &app;
  model_.add_to(app, {.input_shapes = true});
  app.add_option("-o,--output", folder_,
                 "Write everything to this folder: the journal, the data, the minimal case (default: MODEL_diagnosis)")
      ->option_text("FOLDER")
      ->group(kGroup);
  app.add_option("--load-outputs,--load-results", load_outputs_,
                 "Also compare with results of one runner that `assay run --save-outputs` saved")
      ->option_text("FILE")
      ->group(kGroup);
  app.add_option("--budget", budget_s_,
                 "Spend at most this many seconds. Each step gets a share of it (default: unlimited)")
      ->option_text("SECONDS")
      ->check(above_zero())
      ->group(kGroup);
  app.add_option("--skip", skip_, "Skip these steps")
      ->option_text("STEP")
      ->check(CLI::IsMember(step_names()))
      ->expected(1, -1)
      ->group(kGroup);
  app.add_flag("--resume", resume_, "Continue the diagnosis in the folder of -o after its last finished step")
      ->group(kGroup);
  report_.add_to(app);
  format_.add_to(app);
  engines_.add_to(app);
  loader_.add_to(app, DataLoaderOptions::Runs::at_least_once);
  comparison_.add_to(app);
  refused_.add_engines_to(app);
}

base::Status Diagnose::check_options() const {
  ASSAY_TRY(refused_.check());
  ASSAY_TRY(model_.check_runnable());
  ASSAY_TRY(comparison_.check_unchanged());
  const std::vector<OptionPath> read = files_read(model_, loader_, {{"--load-outputs", load_outputs_}});
  ASSAY_TRY(check_paths({{"-o", folder_}}, read));
  return report_.check({{"-o", folder_}}, read);
}

std::vector<std::string> Diagnose::run_words() const {
  return given_words(*app_, {"Limits", "Comparison", "Comparison: simple", "Comparison: other ways"});
}

base::Error Diagnose::report_stopped(const diagnose::Case& task, base::Error error, Context& context) const {
  const auto state = diagnose::load_state(task.folder);
  if (!report_.given() || error.kind != ErrorKind::interrupted || !state || !*state) return error;
  report::Page page = diagnose::make_stopped_page(task, **state);
  if (const auto written = report_.write(std::move(page), model_.file(), engines_of(task), context); !written) {
    context.log.error("{}", written.error().message());
  }
  return error;
}

// Returns the command that continues with what the budget cut short, as a line; empty if nothing was.
std::string Diagnose::next(const diagnose::State& state, const Context& context) const {
  constexpr double kTimesTheBudget = 5;
  if (diagnose::unfinished(state).empty() || context.words.empty()) return {};
  std::vector<std::string> words;
  for (auto word = context.words.begin(); word != context.words.end(); ++word) {
    if (*word == "--budget") {
      ++word;  // its value
    } else if (!word->starts_with("--budget=")) {
      words.push_back(*word);
    }
  }
  if (!resume_) words.emplace_back("--resume");
  words.insert(words.end(), {"--budget", fmt::format("{:g}", kTimesTheBudget * budget_s_)});
  return "\n    To continue with more time: " + base::shell_text(words);
}

base::Expected<int> Diagnose::report(const diagnose::Case& task, const diagnose::State& state, Context& context) const {
  using Outcome = diagnose::Conclusion::Outcome;
  const diagnose::Conclusion conclusion = diagnose::conclude(task, state);
  if (format_.json()) {
    fmt::print(context.out, "{}\n", diagnose::to_json(task, state));
  } else {
    const base::Level level = conclusion.outcome == Outcome::healthy ? base::Level::info : base::Level::error;
    context.log.log(level, "{}{}", as_message(diagnose::to_text(task, state)), next(state, context));
  }
  ASSAY_TRY(report_.write(diagnose::make_page(task, state), model_.file(), engines_of(task), context));
  if (conclusion.outcome == Outcome::undecided) return kExitUndecided;
  return conclusion.outcome == Outcome::cause ? kExitFailed : kExitPassed;
}

base::Expected<int> Diagnose::run(Context& context) {
  ASSAY_TRY(check_options());
  ASSAY_ASSIGN(std::vector<run::EngineSetup> engines, engines_.setups(context.installation));
  if (engines.empty()) {
    return fail(ErrorKind::invalid_input, "no engine is given", {}, "Give at least one engine, --onnxrt for example");
  }
  ASSAY_TRY(check_modules(engines));
  ASSAY_TRY(set_tensorrt_model(engines, model_, context.installation));
  ASSAY_ASSIGN(const auto input_source, open_inputs(model_, loader_, context));
  data::FirstInputs inputs(*input_source);
  ASSAY_TRY(fit_profiles(engines, model_, loader_, inputs, context));
  ASSAY_ASSIGN(const compare::ComparePlan plan, comparison_.plan());
  comparison_.warn_of_unused(plan, context.log);
  ASSAY_ASSIGN(const model::Model model, model_.load_as_it_is());
  ASSAY_ASSIGN(const worker::ModelSource source, model_.source());
  diagnose::Case task{.file = base::absolute_path(model_.file()), .model = model, .source = source};
  diagnose::add_sides(task, engines, context.installation.engines, context.log);
  task.plan = plan;
  task.run_words = run_words();
  task.program = context.installation.executable;
  if (!load_outputs_.empty()) {
    context.log.info("Loading results from {}", load_outputs_);
    ASSAY_TRY(diagnose::add_golden(task, load_outputs_));
  }
  task.inputs_are_random = !loader_.custom();
  const std::vector<std::string> data_words = given_words(*app_, {"Data Loader"});
  if (task.inputs_are_random) task.data_words = data_words;
  ASSAY_ASSIGN(const auto shapes, model_.input_shapes());
  for (const auto& [name, dimensions] : shapes) {
    if (std::ranges::all_of(dimensions, [](const model::Dimension& size) { return size.value >= 0; })) {
      task.shaped_inputs.insert(name);
    }
  }
  ASSAY_TRY(diagnose::add_inputs(task, std::bind_front(&data::FirstInputs::get, &inputs), context.log));
  task.folder = folder_.empty() ? fs::path(model_.file()).stem().string() + "_diagnosis" : folder_;
  ASSAY_ASSIGN(diagnose::State state, diagnose::open_folder(task, data_words, resume_));
  diagnose::DiagnoseOptions options;
  options.budget_s = budget_s_;
  options.skip = {skip_.begin(), skip_.end()};
  auto asked = ask_questions(task, std::move(state), std::move(options),
                             {context.log, context.installation, context.pool, context.stop});
  if (!asked) return fail(report_stopped(task, std::move(asked).error(), context));
  return report(task, *asked, context);
}

std::unique_ptr<Command> make_diagnose() {
  return std::make_unique<Diagnose>();
}

}  // namespace assay::cli
