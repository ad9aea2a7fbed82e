#include "reduce/judge/names_in_text.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "base/strings.h"
#include "reduce/judge/error_lines.h"
#include "reduce/judge/words_of_line.h"

namespace assay::reduce {
namespace {

constexpr std::size_t kLongestName = 512;
constexpr std::string_view kBreaks = " \t,;()[]{}<>|\"'`";
constexpr std::string_view kPunctuation = ".:!?=";

class Names {
 public:
  explicit Names(std::size_t limit) : limit_(limit) {}

  [[nodiscard]] bool full() const { return found_.size() >= limit_; }
  void add(std::string_view name) {
    if (name.empty() || name.size() > kLongestName || full()) return;
    if (seen_.emplace(name).second) found_.emplace_back(name);
  }
  std::vector<std::string> take() && { return std::move(found_); }

 private:
  std::size_t limit_;
  std::set<std::string> seen_;
  std::vector<std::string> found_;
};

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

// Returns whether the character is a colon of a time, as in "onnxrt-runner-N0-12/01/26-00:33:47". Each check ends at
// another time, so such numbers would make the search depend on chance in a model whose tensors are called "33".
bool is_of_time(std::string_view word, std::size_t at) {
  if (word[at] != ':' || at < 2 || at + 2 >= word.size()) return false;
  if (!is_digit(word[at - 2]) || !is_digit(word[at - 1]) || !is_digit(word[at + 1]) || !is_digit(word[at + 2])) {
    return false;
  }
  const bool continues_name =
      at > 2 && (std::isalnum(static_cast<unsigned char>(word[at - 3])) != 0 || word[at - 3] == '_');
  return !continues_name && (at + 3 == word.size() || !is_digit(word[at + 3]));
}

// Adds the word and its parts: "op_type:MatMul", "Name=conv", "246:", "weight:0", "output/Relu."
void add_word(std::string_view word, Names& names) {
  const std::string_view whole = base::trim(word, kPunctuation);
  names.add(whole);
  for (std::size_t at = whole.find_first_of(":="); at != std::string_view::npos;
       at = whole.find_first_of(":=", at + 1)) {
    if (is_of_time(whole, at)) continue;
    names.add(base::trim(whole.substr(0, at), kPunctuation));
    names.add(base::trim(whole.substr(at + 1), kPunctuation));
  }
}

void add_line(std::string_view line, Names& names) {
  const std::vector<Quoted> quotes = quoted_in(line);
  auto quote = quotes.begin();
  std::size_t at = 0;
  while (at < line.size() && !names.full()) {
    for (; quote != quotes.end() && quote->start <= at; ++quote) names.add(quote->text);
    const std::size_t start = line.find_first_not_of(kBreaks, at);
    if (start == std::string_view::npos) break;
    // A quoted text comes before the words in it.
    if (quote != quotes.end() && quote->start < start) {
      at = quote->start;
      continue;
    }
    const std::size_t end = std::min(line.find_first_of(kBreaks, start), line.size());
    add_word(line.substr(start, end - start), names);
    at = end;
  }
  for (; quote != quotes.end(); ++quote) names.add(quote->text);
}

}  // namespace

std::vector<std::string> names_in_text(std::string_view output, std::size_t limit) {
  const LinesOfOutput lines = sort_lines(output);
  Names names(limit);
  for (const auto* part : {&lines.errors, &lines.others, &lines.notes}) {
    for (const std::string& line : *part) {
      if (!names.full()) add_line(line, names);
    }
  }
  return std::move(names).take();
}

}  // namespace assay::reduce
