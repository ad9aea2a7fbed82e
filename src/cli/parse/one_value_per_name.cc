// CLI11 doesn't tell an option in which of its occurrences a value was given. So the first value of each gets a control
// character in front. The option's validator sees all values in order. At the mark, which it removes, it forgets the
// values before.
#include "cli/parse/one_value_per_name.h"

#include <fmt/format.h>

#include <cctype>
#include <map>
#include <utility>

namespace assay::cli {
namespace {

constexpr char kFirstValueMark = '\x02';
constexpr auto kValidator = "one value per name";

bool takes_one_value_per_name(CLI::Option* option) {
  if (option == nullptr) return false;
  try {
    return option->get_validator(kValidator) != nullptr;
  } catch (const CLI::OptionNotFound&) {
    return false;
  }
}

// Returns whether the word is an option. Negative numbers aren't.
bool is_option(const std::string& word) {
  return word.size() > 1 && word[0] == '-' && word[1] != '.' && std::isdigit(static_cast<unsigned char>(word[1])) == 0;
}

std::string without_spaces(std::string text) {
  std::erase_if(text, [](unsigned char c) { return std::isspace(c) != 0; });
  return text;
}

}  // namespace

void take_one_value_per_name(CLI::Option* option, char separator) {
  const auto check = [separator, seen = std::map<std::string, std::string>()](std::string& text) mutable {
    if (text.starts_with(kFirstValueMark)) {
      text.erase(0, 1);
      seen.clear();
    }
    const std::size_t end = separator == '=' ? text.find('=') : text.rfind(separator);
    if (end == std::string::npos || end == 0) return std::string();
    const std::string name = text.substr(0, end);
    const std::string value = text.substr(end + 1);
    const auto [known, is_new] = seen.try_emplace(name, value);
    if (is_new || without_spaces(known->second) == without_spaces(value)) return std::string();
    return fmt::format("gives '{}' two values, {} and {}. Give one", name, known->second, value);
  };
  option->transform(CLI::Validator(check, "", kValidator));
}

std::vector<std::string> mark_occurrences(CLI::App& app, std::vector<std::string> words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::size_t equals = words[i].starts_with("--") ? words[i].find('=') : std::string::npos;
    if (!is_option(words[i]) || !takes_one_value_per_name(app.get_option_no_throw(words[i].substr(0, equals))))
      continue;
    if (equals != std::string::npos && equals + 1 < words[i].size()) {
      words[i].insert(equals + 1, 1, kFirstValueMark);
    } else if (i + 1 < words.size() && !is_option(words[i + 1])) {
      words[i + 1].insert(0, 1, kFirstValueMark);
    }
  }
  return words;
}

}  // namespace assay::cli
