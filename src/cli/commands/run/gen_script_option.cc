#include "cli/commands/run/gen_script_option.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string_view>

#include "backend/engine_table.h"
#include "base/absolute_path.h"
#include "base/strings.h"
#include "cli/run_inputs.h"
#include "model/input_specs.h"
#include "report/loaded_files.h"
#include "report/program_engines.h"
#include "report/run_program.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;  // paths in programs are absolute, so that they run in any folder

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

// Returns the inputs with the sizes that the engines get.
base::Expected<std::vector<tensor::TensorSpec>> fixed_ports(const model::Model& model,
                                                            const std::map<std::string, Dimensions>& shapes) {
  std::vector<tensor::TensorSpec> ports = input_specs(model);
  for (tensor::TensorSpec& port : ports) {
    const auto given = shapes.find(port.name);
    const auto fits = [](std::int64_t size, const model::Dimension& wanted) {
      return wanted.value >= 0 && (size < 0 || size == wanted.value);
    };
    const bool is_used = given != shapes.end() && std::ranges::equal(port.shape, given->second, fits);
    for (std::size_t i = 0; i < port.shape.size(); ++i) {
      if (port.shape[i] < 0) port.shape[i] = is_used ? given->second[i].value : 1;
    }
    if (given != shapes.end() && given->second.size() != port.shape.size()) {
      return fail(ErrorKind::unsupported, "the program can't set the value of an input that holds a shape",
                  "--input-shapes " + port.name, "Save the inputs with --save-inputs, and use --load-inputs");
    }
  }
  return ports;
}

// Makes the paths absolute in settings that name files, except for libraries that the dynamic loader searches.
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
  ASSAY_ASSIGN(const auto shapes, shapes_of_inputs(run.model, run.loader));
  ASSAY_ASSIGN(const compare::ComparePlan plan, run.comparison.plan());
  ASSAY_ASSIGN(const model::Model model, run.model.load_as_it_is());
  report::RunProgram program{
      .model = model, .path = base::absolute_path(run.model.file()).string(), .validate = run.validate};
  for (const run::EngineSetup& engine : run.engines) {
    program.engines.push_back(
        {.kind = engine.spec.kind, .options = with_absolute_paths(engine.spec.kind, engine.spec.options)});
  }
  ASSAY_ASSIGN(program.ports, fixed_ports(model, shapes));
  program.absolute = plan.options.by_output(compare::kAbsoluteTolerance);
  program.relative = plan.options.by_output(compare::kRelativeTolerance);
  program.equal = plan.options.equal;
  for (const std::string& path : run.loader.load_paths()) {
    program.load_inputs.push_back(base::absolute_path(path).string());
    if (fs::path(path).extension() == ".json") continue;
    return fail(ErrorKind::unsupported, "the program of --gen-script only reads inputs in JSON", path,
                "Save them as .json with --save-inputs");
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
