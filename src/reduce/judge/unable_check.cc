// Each row of the table below is one way to report this.
//
// A shell exits with 126 if it can't execute a program and with 127 if it doesn't find it, and so does the loader of
// shared libraries. Python exits with 2 if it can't open its script, and with 1 after an exception. An exception says
// that the script itself can't run if it isn't even loaded: it has a syntax error, or it imports what doesn't exist, at
// the outermost level of the modules. An import inside a function may depend on the model. Programs that refuse their
// options say so in a few conventional ways, most of them with status 2 and a line on usage.
#include "reduce/judge/unable_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <vector>

#include "base/shorten_middle.h"
#include "base/strings.h"
#include "base/without_escapes.h"

namespace assay::reduce {
namespace {

using Lines = std::vector<std::string>;

constexpr int kNotExecutable = 126;
constexpr int kNotFound = 127;
constexpr std::size_t kLongestLine = 200;
constexpr std::string_view kTraceback = "Traceback (most recent call last):";
constexpr std::string_view kEnd = "[E] FAILED | Runtime: ";  // begins the last line of Assay's log

// Returns the lines that aren't blank.
Lines lines_of(const std::string& output) {
  Lines lines = base::split(base::without_escapes(output), '\n');
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
bool is_raised_by_imports(const Lines& lines) {
  const auto last = std::ranges::find(lines.rbegin(), lines.rend(), kTraceback);
  if (last == lines.rend()) return false;
  return std::all_of(last.base(), lines.end(), [](const std::string& line) {
    return !is_frame(line) || line.ends_with(", in <module>") || line.find("\"<frozen ") != std::string::npos;
  });
}

bool holds_traceback(const Lines& lines) {
  return std::ranges::find(lines, kTraceback) != lines.end();
}

// Each of the following functions returns the line that reports one kind of error, or an empty one. There is at least
// one line.

// Python, and dash as the shell.
std::string missing_script(const Lines& lines) {
  const std::string& line = lines.back();
  const bool misses =
      line.find(": can't open file '") != std::string::npos || line.find(": 0: cannot open ") != std::string::npos;
  return misses ? line : "";
}

// The module after `python -m`.
std::string missing_main_module(const Lines& lines) {
  const std::string& line = lines.back();
  const std::size_t end = line.find(": No module named ");
  if (end == std::string::npos || holds_traceback(lines)) return "";
  const std::string program = std::filesystem::path(line.substr(0, end)).filename().string();
  return program.starts_with("python") ? line : "";
}

std::string missing_module(const Lines& lines) {
  constexpr std::array<std::string_view, 2> kMissing = {"ModuleNotFoundError: ", "ImportError: "};
  return starts_with_any(lines.back(), kMissing) && is_raised_by_imports(lines) ? lines.back() : "";
}

std::string wrong_syntax(const Lines& lines) {
  constexpr std::array<std::string_view, 3> kSyntax = {"SyntaxError: ", "IndentationError: ", "TabError: "};
  if (!starts_with_any(lines.back(), kSyntax)) return "";
  return !holds_traceback(lines) || is_raised_by_imports(lines) ? lines.back() : "";
}

// Polygraphy and programs that use getopt of the C library, with any exit status.
std::string unknown_option(const Lines& lines) {
  constexpr std::array<std::string_view, 3> kUnknown = {"Unrecognized Options: [", ": unrecognized option '",
                                                        ": invalid option -- '"};
  const auto is_unknown = [&](const std::string& line) {
    return std::ranges::any_of(kUnknown, [&](std::string_view part) { return line.find(part) != std::string::npos; });
  };
  const auto line = std::ranges::find_if(lines, is_unknown);
  return line == lines.end() ? "" : *line;
}

// Programs that use Python's argparse or click: a line on usage, and one that reports the error.
std::string wrong_usage(const Lines& lines) {
  const auto is_usage = [](const std::string& line) {
    return line.starts_with("usage: ") || line.starts_with("Usage: ");
  };
  const bool reports = lines.back().starts_with("Error: ") || lines.back().find(": error: ") != std::string::npos;
  return reports && std::ranges::any_of(lines, is_usage) ? lines.back() : "";
}

// A script that runs Assay: a message about the command line, or the end of a log.
std::string error_of_assay(const Lines& lines) {
  if (lines.back().starts_with("assay: ")) return lines.back();
  const bool has_more = lines.size() > 1;
  if (has_more && lines.back().ends_with("--help` for the options.")) return lines.end()[-2];
  if (!has_more || !lines.back().starts_with(kEnd)) return "";
  const auto error =
      std::find_if(lines.rbegin() + 1, lines.rend(), [](const std::string& line) { return line.starts_with("[E] "); });
  return error == lines.rend() ? "" : *error;
}

struct Sign {
  int code;  // 0: any but 0
  std::string (*line)(const Lines&);
  std::string_view fix;
};
constexpr std::array kSigns = {
    Sign{2, missing_script, "Correct the path"},
    Sign{1, missing_main_module, "Install the module for the Python that runs the check"},
    Sign{1, missing_module, "Install the module for the Python that runs the check"},
    Sign{1, wrong_syntax, "Correct the script"},
    Sign{0, unknown_option, "Correct the command"},
    Sign{2, wrong_usage, "Correct the command"},
    Sign{2, error_of_assay, "Correct the command"},
};

std::string shorten(const std::string& line) {
  return base::shorten_middle(line, kLongestLine);
}

}  // namespace

std::optional<Unable> why_unable(int code, const std::string& output) {
  const Lines lines = lines_of(output);
  if (code == kNotFound || code == kNotExecutable) {
    return Unable{.why = fmt::format("exit status {}{}{}", code, lines.empty() ? "" : ": ",
                                     lines.empty() ? "" : shorten(lines.back())),
                  .fix = fmt::format("A program or library that it needs is {}. Correct the command or its script, or "
                                     "say with --fail-code {} that this is the failure",
                                     code == kNotFound ? "missing" : "not executable", code)};
  }
  if (lines.empty() || code == 0) return std::nullopt;
  for (const Sign& sign : kSigns) {
    if (sign.code != 0 && sign.code != code) continue;
    if (const std::string line = sign.line(lines); !line.empty()) {
      return Unable{.why = shorten(line),
                    .fix = fmt::format("{}, or describe the failure with --fail-regex if this is it", sign.fix)};
    }
  }
  return std::nullopt;
}

}  // namespace assay::reduce
