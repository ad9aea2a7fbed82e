#include "report/page/html_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <vector>

namespace assay::report {
namespace {

// Bytes; longer texts get a wider column, so that they need fewer lines.
constexpr std::size_t kLongCell = 40;
constexpr std::size_t kVeryLongCell = 200;  // an engine's error of several lines

const char* cell_tag(std::size_t bytes) {
  if (bytes > kVeryLongCell) return "<td class=\"very-long\">";
  return bytes > kLongCell ? "<td class=\"long\">" : "<td>";
}

}  // namespace

std::string escape(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  for (const char letter : text) {
    switch (letter) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += letter;
    }
  }
  return escaped;
}

MarkText mark_text(Mark mark) {
  switch (mark) {
    case Mark::good:
      return {"✓", "Passed", "good"};
    case Mark::bad:
      return {"✕", "Failed", "bad"};
    case Mark::skipped:
      return {"–", "Skipped", "skipped"};
    case Mark::note:
      return {"i", "Note", "note"};
    case Mark::unknown:
      break;
  }
  return {"?", "Unknown", "unknown"};
}

namespace {

// Returns the columns in which a row has text, all if there are no rows. The others would make those narrower.
std::vector<std::size_t> filled_columns(const PageTable& table) {
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const auto has_text = [i](const auto& row) { return i < row.size() && !row[i].empty(); };
    if (table.rows.empty() || std::ranges::any_of(table.rows, has_text)) columns.push_back(i);
  }
  return columns;
}

}  // namespace

std::string html_table(const PageTable& table) {
  const std::vector<std::size_t> columns = filled_columns(table);
  std::string html = "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"" +
                     escape(table.title.empty() ? "Table" : table.title) + "\"><table>";
  if (!table.title.empty()) {
    html += "<caption>" + escape(table.title) + "</caption>";
  }
  html += "<thead><tr>";
  for (const std::size_t i : columns) {
    html += "<th scope=\"col\">" + escape(table.columns[i]) + "</th>";
  }
  html += "</tr></thead><tbody>";
  for (const auto& row : table.rows) {
    html += "<tr>";
    for (const std::size_t i : columns) {
      const std::string_view cell = i < row.size() ? std::string_view(row[i]) : std::string_view();
      html += cell_tag(cell.size()) + escape(cell) + "</td>";
    }
    html += "</tr>";
  }
  return html + "</tbody></table></div>";
}

std::string seconds_text(double seconds) {
  if (!std::isfinite(seconds)) {
    return "";
  }
  if (seconds < 0.9995) {
    return fmt::format("{:.0f} ms", seconds * 1000);
  }
  if (seconds < 60) {
    return fmt::format("{:.1f} s", seconds);
  }
  const auto whole = static_cast<long long>(std::llround(seconds));
  return fmt::format("{} min {} s", whole / 60, whole % 60);
}

}  // namespace assay::report
