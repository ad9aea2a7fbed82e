#include "report/page/html_text.h"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>

namespace assay::report {
namespace {

constexpr std::size_t kLongCell = 40;  // bytes; longer texts get a wider column, so that they need fewer lines

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

std::string html_table(const PageTable& table) {
  std::string html = "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"" +
                     escape(table.title.empty() ? "Table" : table.title) + "\"><table>";
  if (!table.title.empty()) {
    html += "<caption>" + escape(table.title) + "</caption>";
  }
  html += "<thead><tr>";
  for (const std::string& column : table.columns) {
    html += "<th scope=\"col\">" + escape(column) + "</th>";
  }
  html += "</tr></thead><tbody>";
  for (const auto& row : table.rows) {
    html += "<tr>";
    for (const std::string& cell : row) {
      html += (cell.size() > kLongCell ? "<td class=\"long\">" : "<td>") + escape(cell) + "</td>";
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
