#include "cli/commands/run/run_settings.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <span>
#include <utility>

#include "cli/checks/own_command.h"
#include "cli/commands/run/run_options.h"
#include "cli/context/script_python.h"
#include "cli/options/logging_options.h"
#include "cli/parse/arguments.h"
#include "cli/steps/run_inputs.h"

namespace assay::cli {
namespace {

// Returns whether outputs have to be equal in shape, and are then judged element by element.
bool judges_elements_only(const compare::ComparePlan& plan) {
  const auto stats = plan.options.by_output(compare::kErrorStat);
  const auto judges_elements = [&](const compare::CompareFunction* function) {
    return std::ranges::all_of(
        stats, [&](const auto& stat) { return compare::judges_elements(*function, stat.first, plan.options); });
  };
  return plan.options.check_shapes && std::ranges::all_of(plan.functions, judges_elements);
}

// `words`: those after `assay run`. Errors: those of the options.
base::Expected<run::RunSettings> parse(const std::vector<std::string>& words, Context context) {
  CLI::App app;
  RunOptions options;
  LoggingOptions logging;
  options.add_to(app);
  logging.add_to(app);
  ASSAY_TRY(parse_words(app, words));
  context.python = named_python(app);
  run::RunSettings settings;
  ASSAY_ASSIGN(settings.engines, options.engine_setups(context.installation));
  ASSAY_ASSIGN(settings.inputs, open_inputs(options.model, options.loader, context));
  ASSAY_ASSIGN(settings.shapes, options.model.input_shapes());
  ASSAY_ASSIGN(const compare::ComparePlan plan, options.comparison.plan());
  ASSAY_ASSIGN(settings.marks, options.marks.options());
  settings.tolerances = plan.options;
  settings.validate = options.validate;
  settings.as_it_is = !options.marks.given() && !options.model.changes_model();
  settings.by_element =
      judges_elements_only(plan) && options.comparison.check_unchanged() && !options.results.uses_scripts();
  for (const std::string& path : options.load_outputs) {
    ASSAY_ASSIGN(data::RunResults results, data::load_run_results(path));
    std::ranges::move(results.runners, std::back_inserter(settings.saved));
  }
  return settings;
}

// A command as program and words, also if Python is named before its script: `python bin/polygraphy run ...`.
struct Program {
  std::string name;
  std::span<const std::string> words;
  bool is_own_module = false;  // `python -m assay`
};
Program program_of(const std::vector<std::string>& command) {
  const auto name_of = [](const std::string& word) { return std::filesystem::path(word).filename().string(); };
  const std::span<const std::string> words(command);
  if (words.empty()) return {};
  const std::string name = name_of(words[0]);
  if (!name.starts_with("python") || words.size() < 3) return {.name = name, .words = words.subspan(1)};
  if (words[1] == "-m") return {.name = {}, .words = words.subspan(3), .is_own_module = words[2] == "assay"};
  return {.name = name_of(words[1]), .words = words.subspan(2)};
}

// Returns the options of a command that runs a model, here or in Polygraphy, where they mean the same. Returns nothing
// for other commands.
std::optional<std::vector<std::string>> options_of_run(const std::vector<std::string>& command,
                                                       const Installation& installation) {
  const Program program = program_of(command);
  if (program.words.empty() || program.words[0] != "run") return std::nullopt;
  const bool is_known = program.name == "polygraphy" || program.is_own_module;
  if (!is_known && !is_own_command(command, installation)) return std::nullopt;
  return std::vector(program.words.begin() + 1, program.words.end());
}

}  // namespace

std::optional<run::RunSettings> settings_of_run(const std::vector<std::string>& command, Context& context) {
  const auto options = options_of_run(command, context.installation);
  if (!options) return std::nullopt;
  auto settings = parse(*options, context);
  return settings ? std::optional(*std::move(settings)) : std::nullopt;
}

}  // namespace assay::cli
