#include "pages/accuracy_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/counted.h"
#include "compare/compare_function.h"
#include "data/run_results.h"
#include "stats/summary_text.h"

namespace assay::pages {
namespace {

using compare::CompareFunction;

std::string describe(const std::optional<double>& metric, std::string_view unit) {
  return metric ? stats::format_number(*metric) + std::string(unit) : "";
}

report::PageTable table_of(const compare::JudgedPair& pair, const compare::CompareOptions& options) {
  const CompareFunction* const function = pair.function;
  report::PageTable table;
  table.title = fmt::format("{}: {} and {}", function == nullptr ? "Verdicts" : function->name,
                            data::short_runner_name(pair.first), data::short_runner_name(pair.second));
  table.columns = {"Output", "Iteration", "Verdict"};
  if (function != nullptr) {
    for (const std::string_view metric : function->metrics()) table.columns.emplace_back(metric);
    for (const compare::Setting& setting : function->settings()) {
      table.columns.push_back("Threshold: " + std::string(setting.name));
    }
  }
  for (const compare::JudgedOutput& output : pair.outputs) {
    std::vector<std::string> row = {output.output, output.iteration ? fmt::format("{}", *output.iteration) : "mean",
                                    output.passed ? "agrees" : "differs"};
    if (!output.metrics.empty()) {
      for (const auto& metric : output.metrics) row.push_back(describe(metric, function->unit));
      for (const double threshold : compare::thresholds_of(*function, output.output, options)) {
        row.push_back(fmt::format("{:.5g}", threshold));
      }
    }
    row.resize(table.columns.size());
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

report::Page accuracy_page(const compare::JudgedResults& judged, const compare::CompareOptions& options) {
  report::Page page;
  std::int64_t all = 0;
  std::int64_t agreeing = 0;
  for (const compare::JudgedPair& pair : judged.pairs) {
    all += std::ssize(pair.outputs);
    agreeing += std::ranges::count_if(pair.outputs, &compare::JudgedOutput::passed);
    page.first_side = data::short_runner_name(pair.first);
    page.second_side = data::short_runner_name(pair.second);
    page.tables.push_back(table_of(pair, options));
  }
  page.mark = judged.passed ? report::Mark::good : report::Mark::bad;
  page.verdict = fmt::format("{} of {} agree.", agreeing, base::counted(all, "saved comparison"));
  return page;
}

}  // namespace assay::pages
