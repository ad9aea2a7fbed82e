// CLI11 neither completes prefixes of options nor takes "[0,1]" as one word, so words are rewritten before it parses
// them. A value that starts with a bracket gets a control character in front, which hides the bracket from CLI11, and a
// transform on every option removes it. The word "--" ends a list of values. CLI11 also reads 010 as an octal number,
// and takes the largest number in place of one that is too large.
#include "cli/parse/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <set>
#include <system_error>

#include "base/strings.h"
#include "cli/parse/one_value_per_name.h"

namespace assay::cli {
namespace {

constexpr char kBracketMark = '\x01';

std::set<std::string> long_options(const CLI::App& app) {
  std::set<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.insert("--" + name);
  }
  return names;
}

// Removes leading zeros of whole numbers, and refuses those that don't fit, and no text, which CLI11 takes for the
// default. Leaves other text for CLI11 to refuse.
std::string make_decimal(std::string& text) {
  if (text.empty()) return "must be a whole number, but is empty";
  const std::size_t sign = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  if (text.size() == sign || text.find_first_not_of("0123456789", sign) != std::string::npos) return {};
  text.erase(sign, std::min(text.find_first_not_of('0', sign), text.size() - 1) - sign);
  std::int64_t number = 0;
  const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), number);
  return error == std::errc() ? std::string() : "must be closer to 0, but is " + text;
}

// CLI11 would give an option with several values the words after "--outputs=y", too. Ends the list after that value.
Words end_lists(const CLI::App& app, const Words& words) {
  Words ended;
  for (const std::string& word : words) {
    ended.push_back(word);
    const std::size_t equals = word.find('=');
    if (!word.starts_with("--") || equals == std::string::npos || equals + 1 == word.size()) continue;
    const CLI::Option* option = app.get_option_no_throw(word.substr(0, equals));
    if (option != nullptr && option->get_items_expected_max() > 1) ended.emplace_back("--");
  }
  return ended;
}

// Marks values that start with a bracket, for restore_brackets().
Words protect_brackets(Words words) {
  for (std::string& word : words) {
    const std::size_t equals = word.starts_with("--") ? word.find('=') : std::string::npos;
    const std::size_t value = equals == std::string::npos ? 0 : equals + 1;
    if (word.compare(value, 1, "[") == 0) word.insert(value, 1, kBracketMark);
  }
  return words;
}

}  // namespace

Remainder split_remainder(const Words& words, const std::vector<std::string>& spellings) {
  Remainder result;
  for (auto word = words.begin(); word != words.end(); ++word) {
    for (const std::string& spelling : spellings) {
      const bool with_value = word->starts_with(spelling + "=");
      if (*word != spelling && !with_value) continue;
      result.found = true;
      if (with_value) result.after.push_back(word->substr(spelling.size() + 1));
      result.after.insert(result.after.end(), word + 1, words.end());
      return result;
    }
    result.before.push_back(*word);
  }
  return result;
}

base::Expected<Words> expand_prefixes(const CLI::App& app, const Words& words) {
  const std::set<std::string> known = long_options(app);
  Words expanded;
  for (const std::string& word : words) {
    const std::string name = word.substr(0, word.find('='));
    if (!word.starts_with("--") || name == "--" || known.contains(name)) {
      expanded.push_back(word);
      continue;
    }
    std::vector<std::string> candidates;
    std::ranges::copy_if(known, std::back_inserter(candidates), [&](const auto& k) { return k.starts_with(name); });
    // Several spellings of one option are not ambiguous.
    const auto option_of = [&](const std::string& k) { return app.get_option_no_throw(k); };
    const bool same =
        std::ranges::all_of(candidates, [&](const auto& k) { return option_of(k) == option_of(candidates[0]); });
    if (candidates.empty()) {
      expanded.push_back(word);
    } else if (same) {
      expanded.push_back(candidates[0] + word.substr(name.size()));
    } else {
      return base::fail(base::ErrorKind::invalid_input,
                        fmt::format("{} is ambiguous: it may mean {}", name, base::join(candidates, ", ")), {},
                        "Write out the option");
    }
  }
  return expanded;
}

void restore_brackets(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    if (option->get_items_expected_max() == 0) continue;  // a flag
    const bool is_throwing = option->get_multi_option_policy() == CLI::MultiOptionPolicy::Throw;
    if (!option->get_positional() && option->get_items_expected_max() == 1 && is_throwing) {
      option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    }
    option->transform(
        [](const std::string& value) { return value.starts_with(kBracketMark) ? value.substr(1) : value; }, "", "");
    const std::string type = option->get_type_name();
    if (type.starts_with("INT") || type.starts_with("UINT")) option->transform(CLI::Validator(make_decimal, ""));
  }
}

void refuse_empty_names(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    const std::string& value = option->get_option_text();
    if (!value.starts_with("FILE") && !value.starts_with("FOLDER") && !value.starts_with("PATH")) continue;
    option->check(CLI::Validator(
        [](const std::string& name) { return name.empty() ? std::string("must not be empty") : std::string(); }, ""));
  }
}

Words prepare_lists(const CLI::App& app, const Words& words) {
  return protect_brackets(end_lists(app, words));
}

base::Status parse_words(CLI::App& app, const Words& words) {
  restore_brackets(app);
  refuse_empty_names(app);
  ASSAY_ASSIGN(const Words expanded, expand_prefixes(app, words));
  Words reversed = prepare_lists(app, expanded);
  std::ranges::reverse(reversed);
  try {
    app.parse(reversed);
  } catch (const CLI::Error& error) {
    return base::fail(base::ErrorKind::invalid_input, error.what());
  }
  return check_one_value_per_name(app, expanded);
}

}  // namespace assay::cli
