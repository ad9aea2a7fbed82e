// OpenVINO frames the reason by lines that name functions and files. Operators that it doesn't know are listed at the
// end; for an operator that it can't convert, a line with its name is before the reason.
#include "worker/telling_line.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/strings.h"

namespace assay::worker {
namespace {

constexpr std::string_view kStart = "Exception from ";
constexpr std::array<std::string_view, 7> kFraming = {
    kStart,     "Check '",          "FrontEnd API failed", "Loading input model", "Model wasn't fully",
    "Summary:", "While validating "};
constexpr std::string_view kItem = "-- ";
constexpr std::string_view kBeforeReason = " with a message:";

bool is_framing(std::string_view line) {
  return line.empty() || line.ends_with(kBeforeReason) ||
         std::ranges::any_of(kFraming, [&](auto start) { return line.starts_with(start); });
}

}  // namespace

std::string telling_line(std::string_view message) {
  const std::vector<std::string> lines = base::split(message, '\n');
  const std::size_t start = lines.front().find(kStart);
  if (start == std::string::npos && !is_framing(lines.front())) return lines.front();
  const auto telling = std::find_if_not(lines.begin() + 1, lines.end(), is_framing);
  if (telling == lines.end()) return lines.front();
  const std::string_view reason = *telling;
  const std::string_view before = std::string_view(lines.front()).substr(0, start == std::string::npos ? 0 : start);
  return std::string(before) + std::string(reason.substr(reason.starts_with(kItem) ? kItem.size() : 0));
}

}  // namespace assay::worker
