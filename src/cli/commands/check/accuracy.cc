#include "cli/commands/check/accuracy.h"

#include <algorithm>
#include <array>

#include "cli/options/result_options.h"
#include "compare/judge_accuracy.h"
#include "pages/accuracy_page.h"

namespace assay::cli {
namespace {

constexpr std::string_view kNoTensors = "needs the outputs, but the file holds only metrics";

constexpr std::array kRefused = {
    RefusedOption{"--compare-func-script", true, kNoTensors},
    RefusedOption{"--save-accuracy-results", true,
                  "is for runs that compare outputs, and this command only judges saved metrics"},
    RefusedOption{"--save-heatmaps", true, kNoTensors},
    RefusedOption{"--show-heatmaps", false, kNoTensors},
    RefusedOption{"--save-error-metrics-plot", true, kNoTensors},
    RefusedOption{"--show-error-metrics-plot", false, kNoTensors},
};

}  // namespace

void CheckAccuracy::add_options(CLI::App& app) {
  app_ = &app;
  app.add_option("path", path_, "File written by `assay run --save-accuracy-results`")->option_text("FILE")->required();
  comparison_.add_to(app, ComparisonOptions::Subject::metrics);
  app.add_flag("--check-average", average_,
               "Judge the mean of each metric over all iterations instead of each iteration")
      ->group(ComparisonOptions::kGroup);
  report_.add_to(app);
  refused_.add_to(app, kRefused);
}

bool CheckAccuracy::asks() const {
  const auto options = app_->get_options();
  return std::ranges::any_of(options, [](const CLI::Option* option) {
    return option->get_group().starts_with(ComparisonOptions::kGroup) && option->count() > 0;
  });
}

base::Expected<int> CheckAccuracy::run(Context& context) {
  ASSAY_TRY(refused_.check());
  ASSAY_ASSIGN(compare::ComparePlan plan, comparison_.plan());
  plan.average = average_;
  if (average_) ASSAY_TRY(check_average(plan));
  ASSAY_TRY(report_.check({}, {{"the file of results", path_}}));
  context.log.info("Loading accuracy results from {}", path_);
  ASSAY_ASSIGN(const compare::AccuracyResults results, compare::load_accuracy_results(path_));
  auto passed = compare::judge_saved(results, plan, context.log);
  if (!passed && passed.error().kind == base::ErrorKind::not_found && !asks()) {
    const std::string nothing =
        "Nothing was judged, since no option says how. Name the saved comparisons with --compare";
    context.log.info("{}", nothing);
    ASSAY_TRY(report_.write({.mark = report::Mark::note, .verdict = nothing + "."}, path_, {}, context));
    return kExitPassed;
  }
  if (!passed) {
    return base::fail(report_.write_failure(std::move(passed).error().within(path_), path_, {}, context));
  }
  if (report_.given()) ASSAY_TRY(report_.write(pages::accuracy_page(results, plan, *passed), path_, {}, context));
  return *passed ? kExitPassed : kExitFailed;
}

}  // namespace assay::cli
