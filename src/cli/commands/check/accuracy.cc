// `assay check accuracy`: judges saved comparisons again with other thresholds.
#include <fmt/ostream.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "cli/commands/make_commands.h"
#include "cli/context/command.h"
#include "cli/options/check_paths.h"
#include "cli/options/compare_options.h"
#include "cli/options/format_option.h"
#include "cli/options/refused_options.h"
#include "cli/options/report_option.h"
#include "cli/options/result_options.h"
#include "compare/judge_accuracy.h"
#include "compare/judged_json.h"
#include "pages/accuracy_page.h"

namespace assay::cli {
namespace {

class CheckAccuracy final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;
  [[nodiscard]] bool prints_data() const override { return format_.json(); }

 private:
  // Prints what was judged, or else saved, if JSON is wanted.
  void print_json(const compare::JudgedResults& results, bool is_judged, Context& context) const;
  // Returns whether any option says how to judge.
  [[nodiscard]] bool says_how() const;

  CLI::App* app_ = nullptr;
  ComparisonOptions comparison_;
  RefusedOptions refused_;
  bool average_ = false;
  std::string path_;
  std::string save_;
  ReportOption report_{"check accuracy"};
  FormatOption format_;
};

constexpr std::string_view kNoTensors = "needs the outputs, but the file holds only metrics";

constexpr std::array kRefused = {
    RefusedOption{"--compare-func-script", true, kNoTensors},
    RefusedOption{"--save-heatmaps", true, kNoTensors},
    RefusedOption{"--show-heatmaps", false, kNoTensors},
    RefusedOption{"--save-error-metrics-plot", true, kNoTensors},
    RefusedOption{"--show-error-metrics-plot", false, kNoTensors},
};

// Returns the names of the saved comparisons that only --compare asks for: all but simple.
std::string other_comparisons(const compare::AccuracyResults& results) {
  std::vector<std::string> names;
  for (const compare::FunctionAccuracy& saved : results.functions) {
    if (!saved.unknown_class.empty()) continue;
    std::string name(saved.function == nullptr ? "indices" : saved.function->name);
    if (name != "simple") names.push_back(std::move(name));
  }
  return base::join(names, " ");
}

}  // namespace

void CheckAccuracy::add_options(CLI::App& app) {
  app_ = &app;
  app.add_option("path", path_, "File written by `assay run --save-accuracy-results`")->option_text("FILE")->required();
  comparison_.add_to(app, ComparisonOptions::Subject::metrics);
  app.add_flag("--check-average", average_,
               "Judge the mean of each metric over all iterations instead of each iteration")
      ->group(ComparisonOptions::kGroup);
  app.add_option("--save-accuracy-results", save_,
                 "Save what was judged to this file, with the new thresholds and verdicts")
      ->option_text("FILE")
      ->group(ComparisonOptions::kGroup);
  format_.add_to(app);
  report_.add_to(app);
  refused_.add_to(app, kRefused);
}

void CheckAccuracy::print_json(const compare::JudgedResults& results, bool is_judged, Context& context) const {
  if (format_.json()) fmt::print(context.out, "{}\n", compare::to_json(results, is_judged));
}

bool CheckAccuracy::says_how() const {
  const auto options = app_->get_options();
  return std::ranges::any_of(options, [](const CLI::Option* option) {
    return option->get_group().starts_with(ComparisonOptions::kGroup) && option->count() > 0;
  });
}

base::Expected<int> CheckAccuracy::run(Context& context) {
  ASSAY_TRY(refused_.check());
  ASSAY_ASSIGN(compare::ComparePlan plan, comparison_.plan());
  comparison_.warn_of_unused(plan, context.log);
  plan.average = average_;
  if (average_) ASSAY_TRY(check_average(plan));
  // Only judged comparisons are saved, so replacing the file that is read would lose the others.
  const std::vector<OptionPath> written = {{"--save-accuracy-results", save_}};
  const std::vector<OptionPath> read = {{"the file of results", path_}};
  ASSAY_TRY(check_paths(written, read));
  ASSAY_TRY(report_.check(written, read));
  ASSAY_TRY(check_writable(save_, "--save-accuracy-results"));
  context.log.info("Loading accuracy results from {}", path_);
  ASSAY_ASSIGN(compare::AccuracyResults results, compare::load_accuracy_results(path_));
  auto judged = compare::judge_saved(results, plan, context.log);
  const std::string unnamed = app_->count("--compare") == 0 ? other_comparisons(results) : "";
  if (!judged && judged.error().kind == base::ErrorKind::not_found && !says_how()) {
    const std::string nothing = unnamed.empty()
                                    ? "Nothing was judged, since no option says how. Choose a statistic with "
                                      "--check-error-stat"
                                    : "Nothing was judged, since no option says how. Name the saved comparisons, as in "
                                      "--compare " +
                                          unnamed;
    context.log.warning("{}", nothing);
    const compare::JudgedResults saved = compare::saved_judgements(results);
    report::Page page = pages::accuracy_page(saved);
    page.mark = report::Mark::note;
    page.verdict = nothing + ". The table shows what was saved.";
    ASSAY_TRY(report_.write(std::move(page), path_, {}, context));
    print_json(saved, false, context);
    return kExitPassed;
  }
  if (!judged) {
    return base::fail(report_.write_failure(std::move(judged).error().within(path_), path_, {}, context));
  }
  if (!unnamed.empty()) {
    context.log.warning("Other saved comparisons weren't judged; to judge them, add --compare {}", unnamed);
  }
  if (!save_.empty()) {
    ASSAY_TRY(compare::save_accuracy_results(save_, compare::judged_results(std::move(results), *judged, plan)));
    context.log.info("Saved accuracy results to {}", save_);
  }
  if (report_.given()) ASSAY_TRY(report_.write(pages::accuracy_page(*judged), path_, {}, context));
  print_json(*judged, true, context);
  return judged->passed ? kExitPassed : kExitFailed;
}

std::unique_ptr<Command> make_check_accuracy() {
  return std::make_unique<CheckAccuracy>();
}

}  // namespace assay::cli
