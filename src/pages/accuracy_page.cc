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

// Returns a threshold as the user would give it; empty if it has no effect, since the others name another statistic.
std::string describe_threshold(const CompareFunction& function, std::size_t i, const std::vector<double>& thresholds) {
  const compare::Setting& setting = function.settings()[i];
  if (!setting.words.empty()) return std::string(setting.words[static_cast<std::size_t>(thresholds[i])]);
  const bool is_used = setting.name != compare::kErrorQuantile.name ||
                       thresholds[0] == static_cast<double>(compare::ErrorStat::quantile);
  return is_used ? fmt::format("{:.5g}", thresholds[i]) : "";
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

report::PageTable table_of(const compare::JudgedPair& pair) {
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
      for (std::size_t i = 0; i < output.thresholds.size(); ++i)
        row.push_back(describe_threshold(*function, i, output.thresholds));
    }
    row.resize(table.columns.size());
    table.rows.push_back(std::move(row));
  }
  remove_empty_columns(table);
  return table;
}

}  // namespace

report::Page accuracy_page(const compare::JudgedResults& judged) {
  report::Page page;
  std::int64_t all = 0;
  std::int64_t agreeing = 0;
  for (const compare::JudgedPair& pair : judged.pairs) {
    all += std::ssize(pair.outputs);
    agreeing += std::ranges::count_if(pair.outputs, &compare::JudgedOutput::passed);
    page.first_side = data::short_runner_name(pair.first);
    page.second_side = data::short_runner_name(pair.second);
    page.tables.push_back(table_of(pair));
  }
  page.mark = judged.passed ? report::Mark::good : report::Mark::bad;
  page.verdict = fmt::format("{} of {} agree.", agreeing, base::counted(all, "saved comparison"));
  return page;
}

}  // namespace assay::pages
