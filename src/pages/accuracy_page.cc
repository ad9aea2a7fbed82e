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

// Returns the value of a setting as the user would give it; empty if it has no effect on the output.
std::string describe_setting(const compare::Setting& setting, double value, std::string_view output,
                             const compare::CompareOptions& options) {
  if (!setting.words.empty()) return std::string(setting.words[static_cast<std::size_t>(value)]);
  const bool is_used =
      setting.name != compare::kErrorQuantile.name || options.error_stat(output) == compare::ErrorStat::quantile;
  return is_used ? fmt::format("{:.5g}", value) : "";
}

void remove_empty_columns(report::PageTable& table) {
  for (std::size_t column = table.columns.size(); column-- > 0;) {
    const auto is_empty = [column](const std::vector<std::string>& row) { return row[column].empty(); };
    if (!std::ranges::all_of(table.rows, is_empty)) continue;
    const auto at = static_cast<std::ptrdiff_t>(column);
    table.columns.erase(table.columns.begin() + at);
    for (std::vector<std::string>& row : table.rows) row.erase(row.begin() + at);
  }
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
      table.columns.emplace_back(setting.name);
    }
  }
  for (const compare::JudgedOutput& output : pair.outputs) {
    std::vector<std::string> row = {output.output, output.iteration ? fmt::format("{}", *output.iteration) : "mean",
                                    output.passed ? "agrees" : "differs"};
    if (!output.metrics.empty()) {
      for (const auto& metric : output.metrics) row.push_back(describe(metric, function->unit));
      const std::vector<double> thresholds = compare::thresholds_of(*function, output.output, options);
      for (std::size_t i = 0; i < thresholds.size(); ++i)
        row.push_back(describe_setting(function->settings()[i], thresholds[i], output.output, options));
    }
    row.resize(table.columns.size());
    table.rows.push_back(std::move(row));
  }
  remove_empty_columns(table);
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
