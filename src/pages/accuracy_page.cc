#include "pages/accuracy_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/counted.h"
#include "compare/compare_function.h"
#include "data/run_results.h"
#include "stats/summary.h"

namespace assay::pages {
namespace {

using compare::CompareFunction;
using Metrics = std::vector<std::optional<double>>;

// Counts what was judged.
struct Counts {
  std::int64_t judged = 0;
  std::int64_t failed = 0;
};

class FunctionTable {
 public:
  FunctionTable(const CompareFunction* function, const compare::PairAccuracy& pair, const compare::ComparePlan& plan)
      : function_(function), plan_(plan) {
    table_.title = fmt::format("{}: {} and {}", function == nullptr ? "Verdicts" : function->name,
                               data::short_runner_name(pair.first), data::short_runner_name(pair.second));
    table_.columns = {"Output", "Iteration", "Verdict"};
    if (function == nullptr) return;
    for (const std::string_view metric : function->metrics()) table_.columns.emplace_back(metric);
    for (const compare::Setting& setting : function->settings()) {
      table_.columns.push_back("Threshold: " + std::string(setting.name));
    }
  }

  // `metrics`: nothing if only the verdict is known.
  void add(const std::string& output, const std::string& iteration, const std::optional<Metrics>& metrics,
           bool verdict) {
    std::vector<std::string> row = {output, iteration, {}};
    if (function_ != nullptr) {
      const std::vector<double> thresholds = compare::thresholds_of(*function_, output, plan_.options);
      if (metrics) verdict = compare::judge(*function_, *metrics, thresholds).value_or(false);
      for (std::size_t i = 0; i < function_->metrics().size(); ++i) {
        const bool known = metrics && i < metrics->size() && (*metrics)[i];
        row.push_back(known ? stats::format_number(*(*metrics)[i]) + std::string(function_->unit) : "");
      }
      for (const double threshold : thresholds) row.push_back(fmt::format("{:.5g}", threshold));
    }
    row.resize(table_.columns.size());
    row[2] = verdict ? "agrees" : "differs";
    ++counts_.judged;
    if (!verdict) ++counts_.failed;
    table_.rows.push_back(std::move(row));
  }

  [[nodiscard]] const Counts& counts() const { return counts_; }
  report::PageTable take() && { return std::move(table_); }

 private:
  const CompareFunction* function_;
  const compare::ComparePlan& plan_;
  report::PageTable table_;
  Counts counts_;
};

void add_iterations(FunctionTable& table, const compare::PairAccuracy& pair) {
  for (std::size_t i = 0; i < pair.iterations.size(); ++i) {
    for (const compare::OutputJudgement& output : pair.iterations[i]) {
      const auto& measured = output.judgement.measured;
      table.add(output.output, fmt::format("{}", i), measured ? std::optional(measured->values) : std::nullopt,
                output.judgement.passed);
    }
  }
}

void add_means(FunctionTable& table, const CompareFunction& function, const compare::PairAccuracy& pair) {
  for (const std::string& output : compare::outputs_of(pair)) {
    table.add(output, "mean", compare::mean_metrics(function, pair, output), false);
  }
}

bool is_wanted(const compare::FunctionAccuracy& function, const compare::ComparePlan& plan) {
  return std::ranges::any_of(plan.functions, [&](const CompareFunction* wanted) {
    return function.function == nullptr ? wanted->metrics().empty() : wanted == function.function;
  });
}

}  // namespace

report::Page accuracy_page(const compare::AccuracyResults& results, const compare::ComparePlan& plan, bool passed) {
  report::Page page;
  Counts all;
  for (const compare::FunctionAccuracy& function : results.functions) {
    if (!is_wanted(function, plan)) continue;
    for (const compare::PairAccuracy& pair : function.pairs) {
      FunctionTable table(function.function, pair, plan);
      if (plan.average && function.function != nullptr) {
        add_means(table, *function.function, pair);
      } else {
        add_iterations(table, pair);
      }
      all.judged += table.counts().judged;
      all.failed += table.counts().failed;
      page.first_side = data::short_runner_name(pair.first);
      page.second_side = data::short_runner_name(pair.second);
      page.tables.push_back(std::move(table).take());
    }
  }
  page.mark = passed ? report::Mark::good : report::Mark::bad;
  page.verdict = fmt::format("{} of {} agree.", all.judged - all.failed, base::counted(all.judged, "saved comparison"));
  return page;
}

}  // namespace assay::pages
