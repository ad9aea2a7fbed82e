#include "cli/options/result_options.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "cli/context/script_python.h"
#include "cli/options/check_paths.h"
#include "cli/options/compare_options.h"
#include "cli/options/given_options.h"
#include "data/result_script.h"

namespace assay::cli {
namespace {

using base::ErrorKind;
using base::fail;

// A script replaces these options of the group "Comparison", and all options of the groups "Comparison: ...".
constexpr std::array<std::string_view, 4> kReplaced = {"--compare", "--no-shape-check", "--infinities-compare-equal",
                                                       "--nans-compare-equal"};
constexpr auto kPictures = "Comparison: pictures of errors (simple)";

bool is_replaced(const CLI::Option& option) {
  return option.get_group().starts_with(std::string(ComparisonOptions::kGroup) + ":") ||
         std::ranges::find(kReplaced, option.get_name()) != kReplaced.end();
}

// Returns true if the function judges single elements of any output.
bool any_elementwise(const compare::CompareFunction& function, const compare::CompareOptions& options) {
  const auto values = options.by_output(compare::kErrorStat);
  return std::ranges::any_of(values,
                             [&](const auto& value) { return judges_elements(function, value.first, options); });
}

}  // namespace

base::Status check_average(const compare::ComparePlan& plan) {
  constexpr auto kOption = "--check-average";
  if (plan.fail_fast) {
    return fail(ErrorKind::invalid_input, "means are known only after the last iteration", kOption,
                "Leave out --fail-fast");
  }
  for (const compare::CompareFunction* function : plan.functions) {
    if (function->metrics().empty()) {
      return fail(ErrorKind::invalid_input, std::string(function->name) + " has no metric with a mean", kOption,
                  "Use other ways of comparing with --compare");
    }
    if (any_elementwise(*function, plan.options)) {
      return fail(ErrorKind::invalid_input, "elemwise judges single elements, which have no mean over iterations",
                  kOption, "Use --check-error-stat max, mean, median or quantile");
    }
  }
  return {};
}

void ResultOptions::add_to(CLI::App& app) {
  app_ = &app;
  constexpr auto kGroup = ComparisonOptions::kGroup;
  app.add_flag("--check-average", average_,
               "Judge the mean of each metric over all iterations instead of each iteration")
      ->group(kGroup);
  app.add_option(
         "--compare-func-script", compare_script_,
         "Compare with a Python file[:function] instead. It takes two results (dictionaries of arrays) and returns a "
         "dictionary from output to verdict (default function: compare_outputs)")
      ->option_text("FILE[:FUNCTION]")
      ->group(kGroup);
  app.add_option(
         "--postprocess-func-script", postprocess_script_,
         "Change results with a Python file[:function] before they are compared, instead of --postprocess (default "
         "function: postprocess_outputs)")
      ->option_text("FILE[:FUNCTION]")
      ->group(kGroup);
  app.add_option("--save-accuracy-results", save_accuracy_,
                 "Save metrics, thresholds and verdicts as JSON, for `assay check accuracy`")
      ->option_text("FILE")
      ->group(kGroup);
  app.add_flag("--show-heatmaps", show_heat_maps_, "Draw in the terminal where the errors are")->group(kPictures);
  app.add_option("--save-heatmaps", heat_map_folder_, "Save the heat maps as SVG files in this folder")
      ->option_text("FOLDER")
      ->group(kPictures);
  app.add_flag("--show-error-metrics-plot", show_plots_, "Draw in the terminal how many errors there are of each size")
      ->group(kPictures);
  app.add_option("--save-error-metrics-plot", plot_folder_,
                 "Save these plots, and plots of errors against values, as SVG files in this folder")
      ->option_text("FOLDER")
      ->group(kPictures);
}

void ResultOptions::warn_of_replaced(base::Log& log) const {
  for (const CLI::Option* option : app_->get_options()) {
    if (option->count() == 0) continue;
    if (!compare_script_.empty() && is_replaced(*option)) {
      log.warning("{} has no effect: --compare-func-script compares instead", option->get_name());
    }
    if (!postprocess_script_.empty() && option->get_name() == "--postprocess") {
      log.warning("--postprocess has no effect: --postprocess-func-script changes the results instead");
    }
  }
}

base::Status ResultOptions::apply_scripts(run::RunPlan& plan, const Context& context) const {
  if (!uses_scripts()) return {};
  ASSAY_ASSIGN(const std::string python, script_python(context));
  if (!compare_script_.empty()) {
    const data::ScriptOptions script{data::parse_script(compare_script_, "compare_outputs"), python, {}};
    plan.compare_script = [script, &context](const data::IterationResult& first, const data::IterationResult& second) {
      return data::compare_by_script(script, first, second, context.stop, context.log);
    };
  }
  if (!postprocess_script_.empty()) {
    const data::ScriptOptions script{data::parse_script(postprocess_script_, "postprocess_outputs"), python, {}};
    plan.postprocess_script = [script, &context](const data::IterationResult& result) {
      return data::postprocess_by_script(script, result, context.stop, context.log);
    };
  }
  return {};
}

base::Status ResultOptions::apply(run::RunPlan& plan, const Context& context) {
  base::Log& log = context.log;
  warn_of_replaced(log);
  plan.compare.average = average_;
  if (average_ && !compare_script_.empty()) {
    return fail(ErrorKind::invalid_input, "a script returns verdicts, which have no mean", "--check-average",
                "Leave out one of --check-average and --compare-func-script");
  }
  if (average_) ASSAY_TRY(check_average(plan.compare));
  ASSAY_TRY(apply_scripts(plan, context));
  plan.compare.options.keep_metrics = average_ || !save_accuracy_.empty();
  if (!save_accuracy_.empty()) {
    plan.save_accuracy = [path = save_accuracy_, &log](const compare::AccuracyResults& results) -> base::Status {
      ASSAY_TRY(compare::save_accuracy_results(path, results));
      log.info("Saved accuracy results to {}", path);
      return {};
    };
  }
  ASSAY_TRY(check_writable(save_accuracy_, "--save-accuracy-results"));
  return compare_script_.empty() ? begin_pictures(plan.compare, log) : base::Status();
}

base::Status ResultOptions::begin_pictures(compare::ComparePlan& plan, base::Log& log) {
  const compare::PictureOptions pictures{heat_map_folder_, plot_folder_, show_heat_maps_, show_plots_};
  if (!pictures.any()) return {};
  if (std::ranges::find(plan.functions, &compare::compare_function("simple")) == plan.functions.end()) {
    for (const CLI::Option* option : app_->get_options()) {
      if (option->get_group() == kPictures) warn_of_given(std::array{option}, ": it needs --compare simple", log);
    }
    return {};
  }
  ASSAY_TRY(check_writable_folder(heat_map_folder_, "--save-heatmaps"));
  ASSAY_TRY(check_writable_folder(plot_folder_, "--save-error-metrics-plot"));
  pictures_ = std::make_unique<compare::ErrorPictures>(pictures, log);
  plan.pictures = pictures_.get();
  return {};
}

}  // namespace assay::cli
