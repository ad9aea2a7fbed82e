// A line is split into words. A word varies if it contains a digit, an underscore, a dot or a path separator, unless it
// is an element type, all capitals, a qualified C++ name or a position in a source file. Quoted texts always vary.
#include "reduce/judge/words_of_line.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/strings.h"
#include "tensor/element_type.h"

namespace assay::reduce {
namespace {

constexpr std::string_view kBreaks = " \t,;()[]{}<>|=\"'`";
constexpr std::string_view kPunctuation = ".:!?*";
constexpr std::array<std::string_view, 6> kSourceEndings = {".cc", ".cpp", ".cxx", ".cu", ".h", ".hpp"};
constexpr char kPlaceholder = '~';
constexpr std::size_t kLongestQuote = 1024;  // bounds the work on a text full of unmatched quotes

bool is(char c, int (*test)(int)) {
  return test(static_cast<unsigned char>(c)) != 0;
}

bool is_capitals(std::string_view word) {
  return std::ranges::all_of(word, [](char c) { return is(c, std::isupper) || c == '_'; });
}

bool varies(std::string_view word) {
  if (tensor::parse_element_type(word) || is_capitals(word) || word.find("::") != std::string_view::npos) return false;
  if (word == "nan" || word == "inf" || word == "-nan" || word == "-inf") return true;
  return std::ranges::any_of(word, [](char c) { return is(c, std::isdigit) || c == '/' || c == '_' || c == '\\'; }) ||
         word.find('.') != std::string_view::npos;
}

// Returns the word as it appears in the text to be compared.
std::string stable(std::string_view word) {
  if (std::string place = place_in_source(word); !place.empty()) return place;
  return varies(word) ? std::string(1, kPlaceholder) : std::string(word);
}

std::string without_quotes(std::string_view line) {
  std::string rest;
  std::size_t at = 0;
  for (const Quoted& quoted : quoted_in(line)) {
    rest += std::string(line.substr(at, quoted.start - at)) + ' ' + kPlaceholder + ' ';
    at = quoted.end;
  }
  return rest + std::string(line.substr(at));
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  std::size_t at = text.find_first_not_of(kBreaks);
  while (at != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(kBreaks, at), text.size());
    const std::string_view word = base::trim(text.substr(at, end - at), kPunctuation);
    if (!word.empty()) words.push_back(word);
    at = text.find_first_not_of(kBreaks, end);
  }
  return words;
}

}  // namespace

// The name is followed by a line, or by a line and a column: "conv.cpp:38:5".
std::string place_in_source(std::string_view word) {
  const std::size_t end = word.find_last_not_of(":0123456789") + 1;  // of the file's name
  if (end == word.size() || word[end] != ':' || word.back() == ':') return {};
  const std::string_view file = word.substr(0, end);
  const bool is_source =
      std::ranges::any_of(kSourceEndings, [&](std::string_view ending) { return file.ends_with(ending); });
  return is_source ? std::string(word.substr(file.rfind('/') + 1)) : std::string();
}

std::vector<Quoted> quoted_in(std::string_view line) {
  std::vector<Quoted> found;
  const auto in_word = [](char c) { return is(c, std::isalnum) || c == '_'; };
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char open = line[i];
    if (open != '"' && open != '\'' && open != '`') continue;
    if (i > 0 && in_word(line[i - 1])) continue;
    const std::string_view rest = line.substr(i + 1, kLongestQuote);
    const auto closes = [&](std::size_t at) { return at + 1 == rest.size() || !in_word(rest[at + 1]); };
    const char close = open == '`' ? '\'' : open;
    std::size_t end = rest.find(close);
    while (end != std::string_view::npos && !closes(end)) end = rest.find(close, end + 1);
    if (end == std::string_view::npos && open == '`') end = rest.find('`');
    if (end == std::string_view::npos) continue;
    found.push_back({.start = i, .end = i + end + 2, .text = rest.substr(0, end)});
    i += end + 1;
  }
  return found;
}

std::vector<std::string> words_without_quotes(std::string_view line) {
  const std::string rest = without_quotes(line);
  std::vector<std::string> words;
  for (const std::string_view word : words_of(rest)) {
    if (word.front() != kPlaceholder) words.emplace_back(word);
  }
  return words;
}

std::string without_what_varies(std::string_view line) {
  const std::string rest = without_quotes(line);
  std::string text;
  bool after_placeholder = false;
  for (const std::string_view word : words_of(rest)) {
    const std::string kept = stable(word);
    const bool placeholder = kept.front() == kPlaceholder;
    if (!(placeholder && after_placeholder)) text += (text.empty() ? "" : " ") + kept;
    after_placeholder = placeholder;
  }
  return text;
}

}  // namespace assay::reduce
