// Lines are sorted by words that engines, Python and the shell use. A line that declares itself a note is a note even
// if it mentions an error. In a Python traceback the frames are notes, and the line after them names the error. In a
// message of Rust's anyhow, the indented lines after "Caused by:" say what happened, and those after "Stack backtrace:"
// are frames.
#include "reduce/judge/error_lines.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/strings.h"
#include "base/without_escapes.h"

namespace assay::reduce {
namespace {

// Parts of words: "Failed", "RuntimeError", "NOT_IMPLEMENTED".
constexpr std::array<std::string_view, 24> kSignsOfErrors = {
    "error",     "exception", "fail",      "fatal",    "fault",    "assert",    "abort",     "crash",
    "signal ",   "killed",    "terminate", "not_impl", "not impl", "supported", "mismatch",  "max diff",
    "not equal", "not close", "invalid",   "illegal",  "corrupt",  "bad_alloc", "timed out", "out of memory"};
constexpr std::array<std::string_view, 3> kWordsOfErrors = {"differ", "differs", "difference"};
// At the start of a line, without colour codes.
constexpr std::array<std::string_view, 12> kSignsOfNotes = {
    "[i]", "[v]", "[w]", "[u]", "[x]", "info:", "[info", "warning:", "[warning", "[warn]", "debug:", "[debug"};
constexpr std::array<std::string_view, 3> kMarksOfErrors = {"[e]", "[c]", "[!]"};
// The last line of Assay and Polygraphy repeats the command line, in which words such as "mismatch" are names of files.
constexpr std::string_view kLastLine = "failed | runtime: ";
// ONNX Runtime's log has these after the time.
constexpr std::array<std::string_view, 3> kLogNotes = {"[w:onnxruntime", "[i:onnxruntime", "[v:onnxruntime"};

bool is_word_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool is_note(const std::string& lower) {
  const auto starts = [&](std::string_view sign) { return lower.starts_with(sign); };
  const auto holds = [&](std::string_view sign) { return lower.find(sign) != std::string::npos; };
  return std::ranges::any_of(kSignsOfNotes, starts) || std::ranges::any_of(kLogNotes, holds) || holds(kLastLine) ||
         holds("warning: ");  // Python's: "file.py:3: UserWarning: text"
}

bool is_error(const std::string& lower) {
  const auto starts = [&](std::string_view mark) { return lower.starts_with(mark); };
  const auto holds = [&](std::string_view sign) { return lower.find(sign) != std::string::npos; };
  const auto has = [&](std::string_view word) { return has_word(lower, word); };
  return std::ranges::any_of(kMarksOfErrors, starts) || std::ranges::any_of(kSignsOfErrors, holds) ||
         std::ranges::any_of(kWordsOfErrors, has);
}

// Returns "check.py:7" for the frame `File "/tmp/check.py", line 7, in run`; empty for other lines.
std::string place_of_frame(std::string_view line) {
  constexpr std::string_view kStart = "File \"";
  constexpr std::string_view kLine = "\", line ";
  const std::size_t end = line.find(kLine);
  if (!line.starts_with(kStart) || end == std::string_view::npos) return {};
  const std::string_view path = line.substr(0, end);
  const std::string_view file = path.substr(path.find_last_of("/\\\"") + 1);
  const std::string_view number = line.substr(end + kLine.size());
  return std::string(file) + ':' + std::string(number.substr(0, number.find_first_not_of("0123456789")));
}

}  // namespace

bool has_word(std::string_view text, std::string_view word) {
  const std::string lower = base::to_lower(text);
  for (std::size_t at = lower.find(word); at != std::string::npos; at = lower.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_word_character(lower[at - 1])) && (end == lower.size() || !is_word_character(lower[end]))) {
      return true;
    }
  }
  return false;
}

LinesOfOutput sort_lines(std::string_view output) {
  LinesOfOutput lines;
  bool in_traceback = false;  // Python's or Rust's: the frames are indented, what follows isn't
  bool in_causes = false;
  for (const std::string& plain : base::split(base::without_escapes(output), '\n')) {
    const std::string line(base::trim(plain));
    if (line.empty()) continue;
    const bool indented = plain.starts_with("  ");
    in_traceback =
        line.starts_with("Traceback (most recent") || line == "Stack backtrace:" || (in_traceback && indented);
    in_causes = line == "Caused by:" || (in_causes && indented);
    if (std::string place = in_traceback ? place_of_frame(line) : std::string(); !place.empty())
      lines.raised_at = place;
    const std::string lower = base::to_lower(line);
    const bool note = in_traceback || is_note(lower);
    (note ? lines.notes : in_causes || is_error(lower) ? lines.errors : lines.others).push_back(line);
  }
  return lines;
}

}  // namespace assay::reduce
