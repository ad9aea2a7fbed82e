#include "cli/commands/run/gen_script_option.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "backend/engine_table.h"
#include "base/absolute_path.h"
#include "base/strings.h"
#include "cli/steps/run_inputs.h"
#include "model/text_forms.h"
#include "report/loaded_files.h"
#include "report/program_engines.h"
#include "report/run_program.h"

namespace assay::cli {
namespace {

using base::ErrorKind;
using base::fail;

// One spelling of each option that the program has, besides those of engines.
constexpr std::array<std::string_view, 13> kInProgram = {"gen-script",
                                                         "input-shapes",
                                                         "load-inputs",
                                                         "seed",
                                                         "atol",
                                                         "rtol",
                                                         "infinities-compare-equal",
                                                         "nans-compare-equal",
                                                         "iterations",
                                                         "val-range",
                                                         "validate",
                                                         "model-type",
                                                         "data-loader-backend-module"};

// Returns whether the option is the flag or a setting of an engine, and the program can have it.
bool is_of_engine(const std::string& option) {
  return std::ranges::any_of(backend::engine_rows(), [&](const backend::EngineRow& row) {
    const auto is_setting = [&](const backend::EngineSetting& setting) {
      return setting.flag() == option && (!setting.constant.empty() || setting.key.starts_with("config."));
    };
    return report::find_engine_parts(row.kind) != nullptr &&
           (row.flag == option || std::ranges::any_of(row.settings, is_setting));
  });
}

// Makes the paths absolute in settings that name files, except for libraries that the dynamic loader searches: the
// program may run in any folder.
report::Options with_absolute_paths(const std::string& kind, report::Options options) {
  const backend::EngineRow* row = backend::find_engine_row(kind);
  if (row == nullptr) return options;
  for (const backend::EngineSetting& setting : row->settings) {
    const auto given = options.find(std::string(setting.key));
    if (!setting.files || given == options.end()) continue;
    std::vector<std::string> paths;
    for (const std::string& path : base::split(given->second, ',')) {
      paths.push_back(report::is_searched_by_loader(path) ? path : base::absolute_path(path).string());
    }
    given->second = base::join(paths, ",");
  }
  return options;
}

}  // namespace

void GenScriptOption::add_to(CLI::App& app) {
  app_ = &app;
  file_
      .add_to(app, "--gen,--gen-script",
              "Instead of running, write a Python program to this file that does the same run with the engines' own "
              "packages and NumPy; - prints it")
      ->group("Running");
}

base::Status GenScriptOption::check_options(const EngineOptions& engines) const {
  for (const CLI::Option* option : app_->get_options()) {
    if (option->count() == 0 || option->get_lnames().empty() || option->get_group() == "Logging") continue;
    const auto known = [](const std::string& name) {
      return std::ranges::find(kInProgram, name) != kInProgram.end() || is_of_engine("--" + name);
    };
    if (std::ranges::any_of(option->get_lnames(), known)) continue;
    return fail(ErrorKind::unsupported, "--gen-script doesn't support this option", "--" + option->get_lnames().front(),
                "Omit this option or --gen-script");
  }
  ASSAY_ASSIGN(const std::string flag, engines.flag_with_library());
  if (flag.empty()) return {};
  return fail(ErrorKind::unsupported, "--gen-script doesn't support lib: the program runs the engine's Python package",
              flag, "Omit lib or --gen-script");
}

base::Status GenScriptOption::write(const Run& run, Context& context) const {
  ASSAY_TRY(check_options(run.engine_options));
  ASSAY_TRY(run.loader.check_backend_module());
  ASSAY_ASSIGN(const compare::ComparePlan plan, run.comparison.plan());
  if (model::is_text_file(run.model.file())) {
    return fail(ErrorKind::unsupported, "engines don't load a model that is text", run.model.file(),
                "Convert it with `assay convert ... -o MODEL.onnx`");
  }
  ASSAY_ASSIGN(const model::Model model, run.model.load_as_it_is());
  report::RunProgram program{
      .model = model, .path = base::absolute_path(run.model.file()).string(), .validate = run.validate};
  for (const run::EngineSetup& engine : run.engines) {
    program.engines.push_back(
        {.kind = engine.spec.kind, .options = with_absolute_paths(engine.spec.kind, engine.spec.options)});
  }
  ASSAY_ASSIGN(program.shapes, shapes_of_inputs(run.model, run.loader));
  program.absolute = plan.options.by_output(compare::kAbsoluteTolerance);
  program.relative = plan.options.by_output(compare::kRelativeTolerance);
  program.equal = plan.options.equal;
  for (const std::string& path : run.loader.load_paths()) {
    program.load_inputs.push_back(base::absolute_path(path).string());
  }
  ASSAY_ASSIGN(const tensor::GenerateOptions generated, run.loader.generate_options());
  program.seed = generated.seed;
  program.iterations = run.loader.iterations();
  program.ranges = generated.ranges;
  program.ranges[""] = generated.range;
  ASSAY_ASSIGN(const std::string text, report::run_program(program));
  return file_.save(text, "program", "Run it with python3", files_read(run.model, run.loader), context);
}

}  // namespace assay::cli
