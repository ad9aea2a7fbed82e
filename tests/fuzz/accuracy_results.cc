// Saved comparisons, in the form of Polygraphy's AccuracyResults, judged again as `check accuracy` does.
#include "compare/accuracy_results.h"

#include "base/log.h"
#include "compare/compare_function.h"
#include "compare/judge_accuracy.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assay;
  const auto results = compare::load_accuracy_results(fuzz::scratch_file("results.json", fuzz::text_of(data, size)));
  if (!results) return 0;
  base::SilentLog log;
  compare::ComparePlan plan;
  for (const compare::CompareFunction& function : compare::compare_functions()) plan.functions.push_back(&function);
  for (const auto stat : {compare::ErrorStat::elemwise, compare::ErrorStat::quantile}) {
    plan.options.set(compare::kErrorStat, static_cast<double>(stat));
    for (const bool average : {false, true}) {
      plan.average = average;
      const auto judged = compare::judge_saved(*results, plan, log);
      if (judged) compare::judged_results(*results, *judged, plan);
    }
  }
  const std::filesystem::path copy = fuzz::scratch_path("copy.json");
  fuzz::require(compare::save_accuracy_results(copy, *results).has_value(), "results can be saved");
  const auto again = compare::load_accuracy_results(copy);
  fuzz::require(again && again->functions.size() == results->functions.size(), "saved results can be loaded");
  return 0;
}
