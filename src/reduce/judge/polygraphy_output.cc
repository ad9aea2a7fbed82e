#include "reduce/judge/polygraphy_output.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/strings.h"
#include "base/without_escapes.h"

namespace assay::reduce {
namespace {

using Lines = std::vector<std::string>;

// Returns the names of the outputs that failed; nothing if one failed by anything else than NaN as its error. The
// lines: "Minimum Required Tolerance: elemwise error | [abs=nan] OR [rel=nan] (...)" "FAILED | Output: 'y' | Difference
// exceeds tolerance (rel=1e-05, abs=1e-05)"
std::optional<std::vector<std::string>> failed_by_nan(const Lines& lines) {
  constexpr std::string_view kFailed = "FAILED | Output: '";
  std::vector<std::string> names;
  bool is_nan = false;
  for (const std::string& line : lines) {
    if (line.find("Minimum Required Tolerance: ") != std::string::npos) {
      is_nan = line.find("[abs=nan]") != std::string::npos;
    } else if (const std::size_t at = line.find(kFailed); at != std::string::npos) {
      if (!is_nan) return std::nullopt;
      const std::size_t begin = at + kFailed.size();
      names.push_back(line.substr(begin, line.rfind("' | ") - begin));
    }
  }
  return names;
}

// Returns whether all runners show the same mean for an output, and it isn't a number. The line:
// "[I]     onnxrt-runner-N0-12/01/26-00:53:35: y | Stats: mean=-inf, std-dev=nan, ..."
bool is_special_in_all(const std::string& output, const Lines& lines) {
  const std::string start = ": " + output + " | Stats: mean=";
  std::vector<std::string> means;
  for (const std::string& line : lines) {
    const std::size_t at = line.find(start);
    if (at == std::string::npos) continue;
    const std::size_t begin = at + start.size();
    means.push_back(line.substr(begin, line.find(',', begin) - begin));
  }
  if (means.size() < 2 || (means[0] != "nan" && !means[0].ends_with("inf"))) return false;
  return std::ranges::count(means, means[0]) == std::ssize(means);
}

}  // namespace

bool fails_only_by_specials_in_polygraphy(std::string_view output) {
  const Lines lines = base::split(base::without_escapes(output), '\n');
  const auto failed = failed_by_nan(lines);
  return failed && !failed->empty() &&
         std::ranges::all_of(*failed, [&](const std::string& name) { return is_special_in_all(name, lines); });
}

}  // namespace assay::reduce
