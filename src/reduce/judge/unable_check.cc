// A shell exits with 126 if it can't execute a program and with 127 if it doesn't find it, and so does the loader of
// shared libraries. Python exits with 2 if it can't open its script, and with 1 after an exception. An exception says
// that the script itself can't run if it isn't even loaded: it has a syntax error, or it imports what doesn't exist, at
// the outermost level of the modules. An import inside a function may depend on the model.
#include "reduce/judge/unable_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "base/shorten_middle.h"
#include "base/strings.h"
#include "base/without_escapes.h"

namespace assay::reduce {
namespace {

constexpr int kNotExecutable = 126;
constexpr int kNotFound = 127;
constexpr int kException = 1;
constexpr int kNoScript = 2;
constexpr std::size_t kLongestLine = 200;
constexpr std::string_view kTraceback = "Traceback (most recent call last):";
constexpr std::array<std::string_view, 2> kMissing = {"ModuleNotFoundError: ", "ImportError: "};
constexpr std::array<std::string_view, 3> kSyntax = {"SyntaxError: ", "IndentationError: ", "TabError: "};

// Returns the lines that aren't blank.
std::vector<std::string> lines_of(const std::string& output) {
  std::vector<std::string> lines = base::split(base::without_escapes(output), '\n');
  std::erase_if(lines, [](const std::string& line) { return base::trim(line).empty(); });
  return lines;
}

bool starts_with_any(std::string_view line, const auto& beginnings) {
  return std::ranges::any_of(beginnings, [&](std::string_view beginning) { return line.starts_with(beginning); });
}

bool is_frame(std::string_view line) {
  return base::trim(line).starts_with("File \"");
}

// Returns whether all frames of the last traceback belong to the loading of modules.
bool is_raised_by_imports(const std::vector<std::string>& lines) {
  const auto last = std::ranges::find(lines.rbegin(), lines.rend(), kTraceback);
  if (last == lines.rend()) return false;
  return std::all_of(last.base(), lines.end(), [](const std::string& line) {
    return !is_frame(line) || line.ends_with(", in <module>") || line.find("\"<frozen ") != std::string::npos;
  });
}

bool holds_traceback(const std::vector<std::string>& lines) {
  return std::ranges::find(lines, kTraceback) != lines.end();
}

}  // namespace

std::optional<Unable> why_unable(int code, const std::string& output) {
  const std::vector<std::string> lines = lines_of(output);
  const std::string last = lines.empty() ? "" : base::shorten_middle(lines.back(), kLongestLine);
  if (code == kNotFound || code == kNotExecutable) {
    return Unable{.why = fmt::format("exit status {}{}{}", code, last.empty() ? "" : ": ", last),
                  .fix = fmt::format("A program or library that it needs is {}. Correct the command or its script, or "
                                     "say with --fail-code {} that this is the failure",
                                     code == kNotFound ? "missing" : "not executable", code)};
  }
  constexpr std::string_view kOrRegex = "or describe the failure with --fail-regex if this is it";
  if (code == kNoScript && last.find(": can't open file '") != std::string::npos) {
    return Unable{.why = last, .fix = fmt::format("Correct the path, {}", kOrRegex)};
  }
  if (code != kException) return std::nullopt;
  if (starts_with_any(last, kMissing) && is_raised_by_imports(lines)) {
    return Unable{.why = last,
                  .fix = fmt::format("Install the module for the Python that runs the check, {}", kOrRegex)};
  }
  if (starts_with_any(last, kSyntax) && (!holds_traceback(lines) || is_raised_by_imports(lines))) {
    return Unable{.why = last, .fix = fmt::format("Correct the script, {}", kOrRegex)};
  }
  return std::nullopt;
}

}  // namespace assay::reduce
