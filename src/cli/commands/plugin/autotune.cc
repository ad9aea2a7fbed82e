// `assay plugin autotune`: finds the replacements by plug-ins that make an engine of TensorRT fastest.
#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "backend/engine_table.h"
#include "base/counted.h"
#include "base/files.h"
#include "base/temp_dir.h"
#include "cli/commands/make_commands.h"
#include "cli/commands/plugin/autotune/tuning_options.h"
#include "cli/context/command.h"
#include "cli/options/check_paths.h"
#include "cli/options/data_loader_options.h"
#include "cli/options/engine_options.h"
#include "cli/options/model_options.h"
#include "cli/options/model_save_options.h"
#include "cli/options/plugin_options.h"
#include "cli/options/refused_options.h"
#include "cli/steps/calibration_data.h"
#include "cli/steps/explain_load_error.h"
#include "cli/steps/fit_profiles.h"
#include "cli/steps/lost_inputs.h"
#include "cli/steps/run_inputs.h"
#include "model/load.h"
#include "plugin/replace_subgraphs.h"
#include "tensorrt/encode_settings.h"
#include "tune/report.h"
#include "tune/tune_plugins.h"

namespace assay::cli {
namespace {

class PluginAutotune final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;

 private:
  void add_plugin_options(CLI::App& app);
  [[nodiscard]] base::Status check() const;
  [[nodiscard]] std::string saved_config() const;
  [[nodiscard]] plugin::PluginFolder plugins() const;
  // Returns the file of the sub-graphs: the user's, or one in `folder`, which is written. Logs what was found.
  base::Expected<std::filesystem::path> find_subgraphs(const model::Model& model, const std::filesystem::path& folder,
                                                       Context& context) const;
  // Returns the engine, as the only element. `folder`: for a timing cache that is shared by the builds.
  base::Expected<std::vector<run::EngineSetup>> engines(const std::filesystem::path& folder, Context& context) const;
  base::Status tune(const tune::Subject& subject, Context& context) const;
  [[nodiscard]] base::Status write_report(const tune::ReportInput& input, Context& context) const;
  // Saves the model with these replacements.
  base::Status save(const tune::Subject& subject, const tune::Combination& replacements, Context& context) const;

  CLI::App* app_ = nullptr;  // outlives the command's run
  ModelOptions model_;
  PluginOptions plugins_;
  EngineOptions tensorrt_{*backend::find_engine_row("tensorrt")};
  DataLoaderOptions loader_;
  ModelSaveOptions saving_;
  RefusedOptions refused_;
  std::vector<std::string> libraries_;
  TuningOptions tuning_;
  CLI::Option* save_config_ = nullptr;
  std::string save_config_file_;
  std::string load_config_;
  bool skip_ = false;
};

using base::ErrorKind;
using base::fail;

constexpr const char* kInterpreter = "--python-interpreter";

constexpr std::array kRefused = {
    RefusedOption{"--python-plugins", true,
                  "registers plug-ins in a Python process, and the worker that runs the engine has no Python to call "
                  "them. Give compiled plug-ins, with --plugin-libraries"},
};

}  // namespace

void PluginAutotune::add_options(CLI::App& app) {
  app_ = &app;
  model_.add_to(app, {.input_shapes = true});
  add_plugin_options(app);
  tuning_.add_to(app);
  saving_.add_to(app, ModelSaveOptions::Output::optional);
  tensorrt_.add_to(app);
  tensorrt_.add_tensorrt_to(app, tensorrt::build_settings());
  loader_.add_to(app, DataLoaderOptions::Runs::once);
  app.get_option(kInterpreter)->description(std::string(PluginOptions::kInterpreterHelp) + " (default: python3)");
  for (const char* option : {"--load-timing-cache", "--save-timing-cache"}) {
    for (const char* other : {"--timing-cache", "--no-timing-cache"}) {
      if (app.get_option_no_throw(option) != nullptr) app.get_option(other)->excludes(app.get_option(option));
    }
  }
  app.get_option("--plugin-libraries")->excludes(app.get_option("--plugins"));
  refused_.add_to(app, kRefused);
}

void PluginAutotune::add_plugin_options(CLI::App& app) {
  plugins_.add_folder_to(app);
  plugins_.add_choice_to(app);
  app.add_option("--plugin-libraries", libraries_, "Load these plug-in libraries, like --plugins")
      ->option_text("FILE")
      ->expected(1, -1);
  save_config_ = app.add_option("--save-config-yaml", save_config_file_,
                                "Save the sub-graphs that plug-ins can compute to this file (default FILE: "
                                "config.yaml), as `plugin match` does")
                     ->option_text("FILE")
                     ->expected(0, 1);
  CLI::Option* load = app.add_option("--load-config-yaml", load_config_,
                                     "Take the sub-graphs from this file instead of searching for them")
                          ->option_text("FILE")
                          ->excludes(save_config_);
  for (const char* option : {"--include", "--exclude"}) load->excludes(app.get_option(option));
  app.add_flag("--skip-autotuning", skip_, "Only search for sub-graphs. No engine is built, and no model is saved")
      ->excludes(load);
}

std::string PluginAutotune::saved_config() const {
  if (save_config_->count() == 0) return {};
  return save_config_file_.empty() ? "config.yaml" : save_config_file_;
}

plugin::PluginFolder PluginAutotune::plugins() const {
  plugin::PluginFolder folder{.path = plugins_.folder()};
  if (const auto given = app_->get_option(kInterpreter)->results(); !given.empty()) folder.python = given.back();
  return folder;
}

base::Status PluginAutotune::check() const {
  ASSAY_TRY(refused_.check());
  ASSAY_TRY(model_.check_runnable());
  if (loader_.iterations() != 1) {
    return fail(ErrorKind::invalid_input, "models are timed with one set of inputs", "--iterations",
                "Leave it out; --runs says how often each engine runs");
  }
  const std::string& output = saving_.output();
  if (output.empty() && !skip_) {
    return fail(ErrorKind::invalid_input, "there is no file to save the model to", "--output", "Add -o FILE");
  }
  ASSAY_TRY(saving_.save_options());
  ASSAY_TRY(tuning_.check());
  const std::vector<OptionPath> written = {{"--output", output},
                                           {"--report", tuning_.report()},
                                           {"--save-config-yaml", saved_config()},
                                           {"--timing-cache", tuning_.timing_cache()}};
  ASSAY_TRY(check_paths(written, files_read(model_, loader_, {{"--load-config-yaml", load_config_}})));
  // An error after hours of work is too late.
  for (const OptionPath& file : written) {
    if (!skip_ || file.option == "--save-config-yaml") ASSAY_TRY(check_writable(file.path, file.option));
  }
  return {};
}

base::Expected<std::filesystem::path> PluginAutotune::find_subgraphs(const model::Model& model,
                                                                     const std::filesystem::path& folder,
                                                                     Context& context) const {
  if (!load_config_.empty()) return load_config_;
  ASSAY_ASSIGN(const std::vector<std::string> names, plugins_.names(context.log));
  ASSAY_ASSIGN(const plugin::Matches matches,
               plugin::find_subgraphs(model, plugins(), names, context.stop, context.log));
  context.log.info("Sub-graphs that plug-ins can compute: {}", counts_text(matches.plugins));
  const std::string saved = saved_config();
  const std::filesystem::path config = saved.empty() ? folder / "config.yaml" : std::filesystem::path(saved);
  ASSAY_TRY(base::write_file(config, matches.config));
  if (!saved.empty()) context.log.info("Saved them to {}", saved);
  return config;
}

base::Expected<std::vector<run::EngineSetup>> PluginAutotune::engines(const std::filesystem::path& folder,
                                                                      Context& context) const {
  ASSAY_ASSIGN(std::vector<run::EngineSetup> engines, tensorrt_.setups(context.installation));
  ASSAY_TRY(set_tensorrt_model(engines, model_, context.installation));
  tensorrt::GivenSettings given;
  if (!libraries_.empty()) given.add("--plugins", libraries_);
  // The file is read again and extended by each build.
  std::map<std::string, std::string>& options = engines.front().spec.options;
  for (const char* option : {"--save-tactics", "--load-tactics"}) {
    if (!options.contains(option)) continue;
    return fail(ErrorKind::unsupported, "each combination is another network, with tactics of its own", option,
                "Leave it out; --timing-cache keeps what TensorRT has timed");
  }
  const bool has_cache = options.contains("--load-timing-cache") || options.contains("--save-timing-cache");
  if (!has_cache && tuning_.shares_timings()) {
    const std::string& file = tuning_.timing_cache();
    given.add("--save-timing-cache", {file.empty() ? (folder / "timing.cache").string() : file});
  }
  options.merge(tensorrt::encode_settings(given));
  return engines;
}

base::Status PluginAutotune::write_report(const tune::ReportInput& input, Context& context) const {
  const std::string& file = tuning_.report();
  if (file.empty()) return {};
  const bool json = std::filesystem::path(file).extension() == ".json";
  ASSAY_TRY(base::write_file(file, json ? tune::to_json(input) : tune::to_text(input)));
  context.log.info("Saved the report to {}", file);
  return {};
}

base::Status PluginAutotune::save(const tune::Subject& subject, const tune::Combination& replacements,
                                  Context& context) const {
  if (replacements.empty()) return saving_.save(subject.model, context.log);
  ASSAY_ASSIGN(const base::TempDir folder, base::TempDir::create());
  const std::filesystem::path file = folder.path() / "model.onnx";
  ASSAY_ASSIGN(const plugin::Replaced made, plugin::replace_subgraphs(subject.model, subject.plugins, subject.config,
                                                                      file, context.stop, context.log, replacements));
  warn_of_lost_inputs(made.lost_inputs, context.log);
  ASSAY_ASSIGN(const model::Model replaced, model::load(file));
  ASSAY_TRY(saving_.save(replaced, context.log));
  context.log.info("Times were compared, not results: compare those with `assay run`");
  return {};
}

base::Status PluginAutotune::tune(const tune::Subject& subject, Context& context) const {
  ASSAY_ASSIGN(const auto source, open_inputs(model_, loader_, context));
  tune::TuneOptions options = tuning_.options();
  options.timing.inputs = [&](std::span<const tensor::TensorSpec> ports) -> base::Expected<tensor::NamedTensors> {
    ASSAY_ASSIGN(auto inputs, source->iteration(0, ports));
    if (inputs) return *std::move(inputs);
    return fail(ErrorKind::invalid_input, "there are no inputs to run the model with", loader_.first_given(),
                "Give the inputs of one iteration");
  };
  tune::Findings found;
  const base::Status ended = tune::tune_plugins(subject, options, context.pool, context.stop, context.log, found);
  const tune::ReportInput report{.found = found,
                                 .replacements = subject.replacements,
                                 .options = options,
                                 .model = model_.file(),
                                 .engine = subject.engine.engine,
                                 .problem = ended ? std::string() : ended.error().message()};
  // The report is written even if the search failed, and before the model is saved, which may fail, too.
  const base::Status reported = write_report(report, context);
  if (!ended) return fail(explain_load_error(ended.error(), subject.source));
  if (!found.complete) {
    context.log.warning("The search ended after {}: --max-combinations allows more",
                        base::counted(options.search.max_combinations, "combination"));
  }
  context.log.info("{}", tune::conclusion(report));
  ASSAY_TRY(save(subject, found.improves() ? found.best : tune::Combination(), context));
  return reported;
}

base::Expected<int> PluginAutotune::run(Context& context) {
  ASSAY_TRY(check());
  ASSAY_ASSIGN(const model::Model model, model_.load_as_it_is());
  ASSAY_ASSIGN(const base::TempDir scratch, base::TempDir::create());
  if (skip_) {
    ASSAY_TRY(find_subgraphs(model, scratch.path(), context));
    context.log.info("Skipped the search for the fastest replacements, so no model is saved");
    return kExitPassed;
  }
  ASSAY_ASSIGN(std::vector<run::EngineSetup> engines, this->engines(scratch.path(), context));
  ASSAY_TRY(fit_profiles(engines, model_, loader_, context));
  ASSAY_ASSIGN(const auto shapes, shapes_of_inputs(model_, loader_));
  base::SilentLog silent;  // the source of the inputs says the same again
  ASSAY_ASSIGN(const auto calibration_data, save_calibration_data(engines, model_, loader_, shapes, silent, context));
  ASSAY_ASSIGN(const std::filesystem::path config, find_subgraphs(model, scratch.path(), context));
  ASSAY_ASSIGN(worker::ModelSource source, model_.source());
  ASSAY_ASSIGN(std::vector<tune::Replacement> replacements,
               tune::read_replacements(model, plugins(), config, context.stop, context.log));
  const tune::Subject subject{.model = model,
                              .source = std::move(source),
                              .config = config,
                              .plugins = plugins(),
                              .replacements = std::move(replacements),
                              .engine = engines.front()};
  ASSAY_TRY(tune(subject, context));
  return kExitPassed;
}

std::unique_ptr<Command> make_plugin_autotune() {
  return std::make_unique<PluginAutotune>();
}

}  // namespace assay::cli
