#include "cli/commands/run/run_settings.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
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

// Returns whether the words run a model, here or in Polygraphy, whose options mean the same.
bool runs_model(const std::vector<std::string>& words, const Installation& installation) {
  if (words.size() < 2 || words[1] != "run") return false;
  return std::filesystem::path(words[0]).filename() == "polygraphy" || is_own_command(words, installation);
}

}  // namespace

std::optional<run::RunSettings> settings_of_run(const std::vector<std::string>& command, Context& context) {
  if (!runs_model(command, context.installation)) return std::nullopt;
  auto settings = parse({command.begin() + 2, command.end()}, context);
  return settings ? std::optional(*std::move(settings)) : std::nullopt;
}

}  // namespace assay::cli
