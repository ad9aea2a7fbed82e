#include "cli/parse/explain_parse_error.h"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/strings.h"
#include "cli/terminal/help_format.h"

namespace assay::cli {
namespace {

// Returns a sentence about a value that isn't a number of the option's type; empty if `what` is another message.
std::string text_of_conversion(const CLI::App& app, const std::string& what) {
  constexpr std::string_view kBegin = "Could not convert: ";
  const std::size_t equals = what.find(" = ");
  if (!what.starts_with(kBegin) || equals == std::string::npos) return {};
  const std::string name = what.substr(kBegin.size(), equals - kBegin.size());
  const std::string value = what.substr(equals + 3);
  const CLI::Option* option = app.get_option_no_throw(name);
  if (option == nullptr) return {};
  const bool is_whole = value.find_first_not_of("+-0123456789") == std::string::npos;
  if (is_whole) return fmt::format("{} can't be {}: the number is too large", name, value);
  const bool is_fraction = option->get_type_name().starts_with("FLOAT");
  return fmt::format("{} must be a {}number, but is {}", name, is_fraction ? "" : "whole ", value);
}

// Returns a sentence about a value that isn't one of the option's words; empty if `what` is another message.
std::string text_of_choice(const CLI::App& app, const std::string& what) {
  const std::size_t colon = what.find(": ");
  const std::size_t end = what.rfind(" not in {");
  if (colon == std::string::npos || end == std::string::npos || end < colon + 2) return {};
  const CLI::Option* option = app.get_option_no_throw(what.substr(0, colon));
  if (option == nullptr) return {};
  return fmt::format("{} must be one of {}, but is {}", option->get_name(), base::join(choices(*option), ", "),
                     what.substr(colon + 2, end - colon - 2));
}

// An argument without a name that follows an option with several values is taken as one of them.
std::string text_of_missing(const CLI::App& app, const std::string& what) {
  constexpr std::string_view kEnd = " is required";
  if (!what.ends_with(kEnd)) return {};
  const CLI::Option* missing = app.get_option_no_throw(what.substr(0, what.size() - kEnd.size()));
  if (missing == nullptr || !missing->get_positional()) return {};
  for (const CLI::Option* option : app.get_options()) {
    const bool takes_several = !option->get_positional() && option->get_items_expected_max() > 1;
    if (!takes_several || option->results().empty()) continue;
    const std::string& last = option->results().back();
    std::error_code code;
    if (!std::filesystem::exists(last, code)) continue;
    return fmt::format("{}. If that is '{}', put it in front of {}, which has taken it as a value", what, last,
                       option->get_name());
  }
  return {};
}

std::string text_of_extras(const CLI::App& app) {
  const std::vector<std::string> words = app.remaining();
  std::vector<std::string> unknown;
  for (const std::string& word : words) {
    const bool is_option = word.size() > 1 && word.starts_with('-') && word != "--";
    if (is_option && app.get_option_no_throw(word) == nullptr) unknown.push_back(word);
  }
  if (!unknown.empty()) return "there is no option " + base::join(unknown, ", ");
  return fmt::format("unexpected argument{}: {}", words.size() == 1 ? "" : "s", base::join(words, " "));
}

}  // namespace

std::string explain_parse_error(const CLI::App& app, const CLI::ParseError& error) {
  const std::string what = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) return text_of_extras(app);
  for (const auto& explain : {text_of_conversion, text_of_choice, text_of_missing}) {
    if (std::string text = explain(app, what); !text.empty()) return text;
  }
  const std::size_t colon = what.find(": ");
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr && what.ends_with(" missing")) {
    const CLI::Option* option = app.get_option_no_throw(what.substr(0, colon));
    // CLI11 names the type of the value in C++.
    if (option != nullptr) {
      const std::vector<std::string> values = choices(*option);
      return fmt::format("{} needs a value: {}", option->get_name(),
                         values.empty() ? value_name(*option) : "one of " + base::join(values, ", "));
    }
  }
  if (dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr) {
    return base::replace_all(what, " excludes ", " can't be combined with ");
  }
  // A rule for values (validators.h) continues the option's name to a sentence.
  const bool continues = colon != std::string::npos && what.substr(colon + 2).starts_with("must be ");
  return continues ? what.substr(0, colon) + " " + what.substr(colon + 2) : what;
}

}  // namespace assay::cli
