#include "cli/terminal/wrap_text.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/strings.h"

namespace assay::cli {
namespace {

// Returns whether a byte of UTF-8 begins a code point.
bool is_first_byte(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
}

int columns(std::string_view text) {
  return static_cast<int>(std::ranges::count_if(text, is_first_byte));
}

// Splits at single spaces; a quoted part is not split. Spaces at the start stay with the first word.
std::vector<std::string> split_words(std::string_view line, bool keep_quoted) {
  std::vector<std::string> words(1);
  char quote = 0;
  const std::size_t start = std::min(line.find_first_not_of(' '), line.size());
  words.back() = line.substr(0, start);
  for (const char c : line.substr(start)) {
    if (keep_quoted && (c == '\'' || c == '"') && (quote == 0 || quote == c)) quote = quote == 0 ? c : char(0);
    if (c == ' ' && quote == 0) {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

std::string join_words(const std::vector<std::string>& words, int width, int indent, std::string_view line_end) {
  std::string text = words[0];
  int used = columns(words[0]);
  const int limit = width - columns(line_end);
  for (std::size_t i = 1; i < words.size(); ++i) {
    const int needed = columns(words[i]);
    const bool is_last = i + 1 == words.size();
    if (used + 1 + needed > (is_last ? width : limit)) {
      text += std::string(line_end) + "\n" + std::string(static_cast<std::size_t>(indent), ' ');
      used = indent;
    } else {
      text += ' ';
      ++used;
    }
    text += words[i];
    used += needed;
  }
  return text;
}

}  // namespace

std::string wrap_text(std::string_view text, int width, int indent) {
  std::vector<std::string> lines;
  for (const std::string& line : base::split(text, '\n')) {
    lines.push_back(join_words(split_words(line, false), width, indent, ""));
  }
  return base::join(lines, "\n" + std::string(static_cast<std::size_t>(indent), ' '));
}

std::string wrap_command(std::string_view command, int width, int indent) {
  return join_words(split_words(command, true), width, indent, " \\");
}

std::string one_line(std::string_view text, int width) {
  std::string line;
  int used = 0;
  for (const char c : text) {
    if (is_first_byte(c) && used++ >= width) break;
    const auto byte = static_cast<unsigned char>(c);
    line += byte < 0x20 || byte == 0x7F ? ' ' : c;
  }
  return line;
}

}  // namespace assay::cli
