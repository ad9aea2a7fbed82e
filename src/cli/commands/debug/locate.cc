// `assay debug locate`: finds the first tensor at which two engines, an engine and saved results, or float32 and
// float16 diverge.
//
// Checks that the options name exactly two sides, runs the search, and suggests the next command (next_reduction.h).
#include <fmt/ostream.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands/debug/locate/next_reduction.h"
#include "cli/commands/make_commands.h"
#include "cli/context/command.h"
#include "cli/options/check_paths.h"
#include "cli/options/compare_options.h"
#include "cli/options/data_loader_options.h"
#include "cli/options/engine_options.h"
#include "cli/options/float16_model.h"
#include "cli/options/float16_tolerances.h"
#include "cli/options/format_option.h"
#include "cli/options/memory_budget_option.h"
#include "cli/options/model_options.h"
#include "cli/options/model_save_options.h"
#include "cli/options/refused_options.h"
#include "cli/options/report_option.h"
#include "cli/options/tensorrt_options.h"
#include "cli/options/validators.h"
#include "cli/steps/fit_profiles.h"
#include "cli/steps/run_inputs.h"
#include "cli/terminal/console_log.h"
#include "data/check_runner_count.h"
#include "data/results_reader.h"
#include "data/run_results.h"
#include "locate/locate.h"
#include "locate/report.h"
#include "locate/save_piece.h"
#include "model/load.h"
#include "pages/locate_page.h"
#include "surgeon/float16/convert_to_float16.h"
#include "surgeon/graph/inline_functions.h"

namespace assay::cli {
namespace {

struct Models {
  model::Model first;
  std::optional<model::Model> against{};             // --against
  std::optional<surgeon::Float16Model> converted{};  // --fp16
};

class DebugLocate final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;
  [[nodiscard]] bool prints_data() const override { return format_.json(); }

 private:
  [[nodiscard]] base::Status check_sides(const std::vector<run::EngineSetup>& engines, std::size_t saved) const;
  [[nodiscard]] base::Status check_float16(std::size_t engines) const;
  [[nodiscard]] base::Expected<locate::LocateOptions> locate_options(base::Log& log) const;
  // Returns the files that -o adds next to its own. This run may read those of an earlier one.
  [[nodiscard]] std::vector<OptionPath> written_next_to_piece() const;
  // Returns the saved results, or null if there are none to compare with.
  [[nodiscard]] base::Expected<std::shared_ptr<data::ResultsReader>> open_golden(base::Log& log) const;
  [[nodiscard]] base::Expected<Models> load_models(base::Log& log) const;
  // Prints the answer, and returns the exit status.
  int show(const locate::Location& location, const std::optional<locate::NextCommand>& next, Context& context) const;

  ModelOptions model_;
  EngineOptions engines_;
  DataLoaderOptions loader_;
  ComparisonOptions comparison_;
  ModelSaveOptions save_;
  RefusedOptions refused_;
  CLI::App* app_ = nullptr;
  std::string against_;
  std::string load_outputs_;
  std::string save_inputs_;
  MemoryBudgetOption memory_budget_;
  ReportOption report_{"debug locate"};
  bool inline_functions_ = false;
  bool float16_ = false;
  int repeats_ = 3;
  FormatOption format_;
};

using base::ErrorKind;
using base::fail;
using Outcome = locate::Location::Outcome;

}  // namespace

void DebugLocate::add_options(CLI::App& app) {
  app_ = &app;
  model_.add_to(app, {.input_shapes = true});
  constexpr auto kGroup = "Locating";
  CLI::Option* against = app.add_option("--against", against_,
                                        "Compare with this model (another version, or its float16 conversion), whose "
                                        "tensors have the same names. It runs in the second engine, or in the only one")
                             ->option_text("FILE")
                             ->group(kGroup);
  app.add_option(
         "--load-outputs,--load-results", load_outputs_,
         "Compare with results of `assay run --save-outputs` (with --onnx-outputs '*') instead of a second engine")
      ->option_text("FILE")
      ->excludes(against)
      ->group(kGroup);
  app.add_flag(
         "--fp16", float16_,
         "Compare the model in float16 with the model as it is, in one engine. Inputs and outputs stay float32, and so "
         "do operands that ONNX does not allow in float16. The defaults of --rtol and --atol are then 0.01")
      ->group(kGroup);
  app.add_option("--repeat", repeats_,
                 "Run the unchanged model this many times to see whether an engine is deterministic (default: 3)")
      ->option_text("COUNT")
      ->check(above_zero())
      ->group(kGroup);
  app.add_flag("--inline-functions", inline_functions_,
               "Inline the model's functions first, so that tensors inside them are compared, too")
      ->group(kGroup);
  memory_budget_.add_to(
      app, "Limit the memory for values of marked tensors, e.g. 2G (default: a quarter of the free memory)", kGroup);
  app.add_option("--save-inputs,--save-input-data", save_inputs_,
                 "Save the inputs of the saved piece to this file (default: NAME_inputs.json next to -o)")
      ->option_text("FILE")
      ->group(kGroup);
  format_.add_to(app);
  report_.add_to(app);
  engines_.add_to(app);
  loader_.add_to(app, DataLoaderOptions::Runs::at_least_once);
  comparison_.add_to(app);
  save_.add_to(app, ModelSaveOptions::Output::optional);
  refused_.add_engines_to(app);
}

base::Status DebugLocate::check_sides(const std::vector<run::EngineSetup>& engines, std::size_t saved) const {
  const std::string fix =
      "Give two engines (--onnxrt --openvino), one and --load-outputs FILE, one and --against MODEL, or one and --fp16";
  if (engines.empty()) return fail(ErrorKind::invalid_input, "no engine is given", {}, fix);
  if (saved > 0) ASSAY_TRY(data::check_one_runner(saved, load_outputs_));
  const std::size_t sides = engines.size() + saved;
  if (sides > 2) {
    return fail(ErrorKind::invalid_input, fmt::format("{} sides are given, but exactly two are compared", sides), {},
                fix);
  }
  if (sides == 1 && against_.empty() && !float16_) {
    return fail(ErrorKind::invalid_input, "a single engine has nothing to be compared with", {}, fix);
  }
  return {};
}

// --fp16 provides both sides itself.
base::Status DebugLocate::check_float16(std::size_t engines) const {
  if (!float16_) return {};
  const char* other = nullptr;
  if (engines > 1) other = "a second engine";
  if (!load_outputs_.empty()) other = "--load-outputs";
  if (!against_.empty()) other = "--against";
  if (other == nullptr) return {};
  return fail(ErrorKind::invalid_input,
              fmt::format("one engine runs the model in float16 and in float32, so {} would be a third side", other),
              "--fp16", "Use one engine with --fp16 alone, or leave --fp16 out");
}

base::Expected<locate::LocateOptions> DebugLocate::locate_options(base::Log& log) const {
  locate::LocateOptions options;
  ASSAY_ASSIGN(options.plan, comparison_.plan(float16_ ? float16_tolerances() : compare::CompareOptions()));
  comparison_.warn_of_unused(options.plan, log);
  ASSAY_ASSIGN(options.save, save_.save_options());
  save_.warn_if_not_saved(save_.output(), "-o", log);
  ASSAY_TRY(comparison_.check_unchanged());
  options.repeats = repeats_;
  options.memory_budget = memory_budget_.bytes();
  options.output = save_.output();
  options.inputs = save_inputs_;
  // Fail now if a path is wrong or not writable, not after the search.
  const std::vector<OptionPath> read =
      files_read(model_, loader_, {{"--against", against_}, {"--load-outputs", load_outputs_}});
  std::vector<OptionPath> written = {{"-o", save_.output()}, {"--save-inputs", save_inputs_}};
  ASSAY_TRY(check_paths(written, read));
  ASSAY_TRY(check_paths(written_next_to_piece(), read));
  ASSAY_TRY(report_.check(std::move(written), read));
  ASSAY_TRY(check_writable(save_.output(), "-o"));
  ASSAY_TRY(check_writable(save_inputs_, "--save-inputs"));
  if (options.output.empty() && !save_inputs_.empty()) {
    return fail(ErrorKind::invalid_input, "there is no saved piece whose inputs could be saved", "--save-inputs",
                "Add -o FILE to save the piece");
  }
  return options;
}

std::vector<OptionPath> DebugLocate::written_next_to_piece() const {
  if (save_.output().empty()) return {};
  const locate::PieceFiles files =
      locate::name_files(save_.output(), save_inputs_,
                         {.two_models = float16_ || !against_.empty(), .saved_results = !load_outputs_.empty()});
  return {{"-o", files.inputs.string()}, {"-o", files.against.string()}, {"-o", files.golden.string()}};
}

base::Expected<std::shared_ptr<data::ResultsReader>> DebugLocate::open_golden(base::Log& log) const {
  if (load_outputs_.empty()) return nullptr;
  log.info("Loading results from {}", load_outputs_);
  ASSAY_ASSIGN(std::shared_ptr<data::ResultsReader> golden, data::ResultsReader::open(load_outputs_));
  ASSAY_TRY(data::check_any_runner(golden->runner_count(), load_outputs_));
  return golden;
}

base::Expected<Models> DebugLocate::load_models(base::Log& log) const {
  ASSAY_ASSIGN(model::Model first, model_.load_as_it_is());
  Models models{.first = std::move(first)};
  if (!against_.empty()) {
    ASSAY_ASSIGN(models.against, model::load(against_));
  }
  if (inline_functions_) {
    ASSAY_TRY(surgeon::inline_functions(models.first));
    if (models.against) ASSAY_TRY(surgeon::inline_functions(*models.against));
  }
  if (float16_) {
    ASSAY_ASSIGN(models.converted, surgeon::convert_to_float16(models.first));
    describe(*models.converted, log);
  }
  return models;
}

base::Expected<int> DebugLocate::run(Context& context) {
  ASSAY_TRY(refused_.check());
  ASSAY_ASSIGN(std::vector<run::EngineSetup> engines, engines_.setups(context.installation));
  ASSAY_ASSIGN(locate::LocateOptions options, locate_options(context.log));
  if (engines.empty()) ASSAY_TRY(check_sides(engines, 0));
  ASSAY_TRY(check_float16(engines.size()));
  ASSAY_TRY(model_.check_runnable());
  ASSAY_ASSIGN(const auto golden, open_golden(context.log));
  ASSAY_TRY(check_sides(engines, golden ? golden->runner_count() : 0));
  for (run::EngineSetup& engine : engines) engine.runner = data::short_runner_name(engine.runner);
  ASSAY_TRY(set_tensorrt_model(engines, model_, context.installation));
  ASSAY_ASSIGN(const auto source, open_inputs(model_, loader_, context));
  data::FirstInputs inputs(*source);
  ASSAY_TRY(fit_profiles(engines, model_, loader_, inputs, context));
  context.pool.prepare(engines[0].spec);  // the worker starts while the model and the inputs are read
  ASSAY_ASSIGN(const Models models, load_models(context.log));
  locate::LocateInput input{.model = models.first,
                            .against = models.against ? &*models.against : nullptr,
                            .float16 = models.converted ? &models.converted->model : nullptr,
                            .engines = engines,
                            .golden = golden,
                            .inputs = std::bind_front(&data::FirstInputs::get, &inputs)};
  if (models.converted) input.weights_beyond_float16 = models.converted->changed_weights;
  pages::WorstTensors worst;
  if (report_.given()) pages::watch(options, worst);
  const auto found = locate::locate(input, options, context.pool, context.log, context.stop);
  if (!found) {
    if (found.error().kind != ErrorKind::engine) return fail(found.error());
    return fail(report_.write_failure(found.error(), model_.file(), engines, context));
  }
  const locate::Location& location = *found;
  const LocateCommand searched{.app = *app_,
                               .model = model_.file(),
                               .engines = engines,
                               .usual_libraries = run::usual_libraries(context.installation.engines),
                               .two_engines = !float16_ && against_.empty() && load_outputs_.empty(),
                               .float16 = float16_};
  const std::optional<locate::NextCommand> next = next_reduction(location, searched);
  const int status = show(location, next, context);
  if (report_.given()) {
    ASSAY_TRY(report_.write(pages::locate_page(location, next, models.first, worst), model_.file(), engines, context));
  }
  return status;
}

int DebugLocate::show(const locate::Location& location, const std::optional<locate::NextCommand>& next,
                      Context& context) const {
  const bool agree = location.outcome == Outcome::agree;
  if (format_.json()) {
    fmt::print(context.out, "{}\n", locate::to_json(location, next));
  } else {
    std::string text = as_message(locate::to_text(location, next));
    if (float16_ && location.outcome == Outcome::differ) {
      text +=
          "\n    Next: `assay debug precision` with the same model, engine and inputs finds the nodes that have to "
          "stay in float32";
    }
    context.log.log(agree ? base::Level::info : base::Level::error, "{}", text);
  }
  return agree ? kExitPassed : kExitFailed;
}

std::unique_ptr<Command> make_debug_locate() {
  return std::make_unique<DebugLocate>();
}

}  // namespace assay::cli
