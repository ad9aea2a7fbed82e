// CLI11 doesn't say in which of an option's occurrences a value was given, so the words are read again.
#include "cli/parse/one_value_per_name.h"

#include <fmt/format.h>

#include <cctype>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace assay::cli {
namespace {

// Returns the name of the validator that marks an option. It accepts every value.
std::string mark_of(char separator) {
  return fmt::format("one value per name before '{}'", separator);
}

bool has_mark(CLI::Option& option, char separator) {
  try {
    return option.get_validator(mark_of(separator)) != nullptr;
  } catch (const CLI::OptionNotFound&) {
    return false;
  }
}

// Returns whether the word is an option. Negative numbers aren't.
bool is_option(std::string_view word) {
  return word.size() > 1 && word[0] == '-' && word[1] != '.' && std::isdigit(static_cast<unsigned char>(word[1])) == 0;
}

std::string without_spaces(std::string text) {
  std::erase_if(text, [](unsigned char c) { return std::isspace(c) != 0; });
  return text;
}

// One occurrence of an option, with the values seen so far.
class Occurrence {
 public:
  // `option`: null for an unknown one.
  Occurrence(std::string spelling, CLI::Option* option) : spelling_(std::move(spelling)) {
    for (const char separator : {':', '='}) {
      if (option != nullptr && has_mark(*option, separator)) separator_ = separator;
    }
  }

  base::Status add(const std::string& text) {
    if (separator_ == '\0') return {};
    const std::size_t end = separator_ == '=' ? text.find('=') : text.rfind(separator_);
    if (end == std::string::npos || end == 0) return {};
    const std::string name = text.substr(0, end);
    const std::string value = text.substr(end + 1);
    const auto [known, is_new] = values_.try_emplace(name, value);
    if (is_new || without_spaces(known->second) == without_spaces(value)) return {};
    return base::fail(base::ErrorKind::invalid_input,
                      fmt::format("{} gives '{}' two values, {} and {}", spelling_, name, known->second, value), {},
                      "Give one");
  }

 private:
  std::string spelling_;
  char separator_ = '\0';  // none if the option isn't marked
  std::map<std::string, std::string> values_;
};

}  // namespace

void take_one_value_per_name(CLI::Option* option, char separator) {
  option->check(CLI::Validator([](const std::string&) { return std::string(); }, "", mark_of(separator)));
}

base::Status check_one_value_per_name(CLI::App& app, const std::vector<std::string>& words) {
  Occurrence current("", nullptr);
  for (const std::string& word : words) {
    if (!is_option(word)) {
      ASSAY_TRY(current.add(word));
      continue;
    }
    const std::size_t equals = word.starts_with("--") ? word.find('=') : std::string::npos;
    const std::string spelling = word.substr(0, equals);
    current = Occurrence(spelling, app.get_option_no_throw(spelling));
    if (equals == std::string::npos || equals + 1 == word.size()) continue;
    ASSAY_TRY(current.add(word.substr(equals + 1)));
    current = Occurrence("", nullptr);  // the value after '=' is the only one
  }
  return {};
}

}  // namespace assay::cli
