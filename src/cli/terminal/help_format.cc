// CLI11 doesn't wrap lines, and shows the form of a value, its default and excluded options only in front of the help
// text, where they hide the option's name.
#include "cli/terminal/help_format.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/strings.h"
#include "cli/terminal/wrap_text.h"

namespace assay::cli {
namespace {

constexpr std::size_t kMostChoices = 40;  // characters of a list of values that is shown instead of the value's name
constexpr int kHelpColumn = 30;
constexpr int kExampleIndent = 6;

std::string left_side(const CLI::Option& option, bool is_positional) {
  std::string text = is_positional ? option.get_name(true) : base::replace_all(option.get_name(false, true), ",", ", ");
  if (option.get_items_expected_max() == 0) return text;
  const std::string values = base::join(choices(option), ",");
  const bool shows_choices = !values.empty() && values.size() <= kMostChoices;
  std::string value = shows_choices ? "{" + values + "}" : value_name(option);
  if (option.get_items_expected_min() == 0) value = "[" + value + "]";
  text += " " + value;
  if (option.get_items_expected_max() > 1) text += " ...";
  return text;
}

std::string right_side(const CLI::Option& option) {
  std::string text = option.get_description();
  if (const std::string values = base::join(choices(option), ", "); values.size() > kMostChoices) {
    text += ". One of: " + values;
  }
  return text + option_notes(option);
}

}  // namespace

// CLI11 reveals the values of an IsMember check only at the end of the type's name: "TEXT:{onnx,engine}".
std::vector<std::string> choices(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const auto open = type.find('{'), close = type.find('}');
  if (open == std::string::npos || close == std::string::npos || close < open) return {};
  return base::split(type.substr(open + 1, close - open - 1), ',');
}

std::string value_name(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return {};
  if (!option.get_option_text().empty()) return option.get_option_text();
  const std::string type = option.get_type_name();  // followed by what its checks say
  return type.substr(0, type.find(':'));
}

std::string option_notes(const CLI::Option& option) {
  std::string text;
  if (!option.get_default_str().empty()) text += " (default: " + option.get_default_str() + ")";
  std::vector<std::string> others;
  for (const CLI::Option* other : option.get_excludes()) others.push_back(other->get_name());
  if (!others.empty()) text += " (not with " + base::join(others, ", ") + ")";
  if (option.get_required()) text += " (required)";
  return text;
}

std::vector<std::string> example_commands(std::string_view examples) {
  std::vector<std::string> commands;
  std::string command;
  for (const std::string& line : base::split(examples, '\n')) {
    command += command.empty() ? line : " " + std::string(base::trim(line));
    if (command.ends_with('\\')) {
      command = base::trim(std::string_view(command).substr(0, command.size() - 1));
      command.insert(0, 2, ' ');
      continue;
    }
    commands.push_back(command);
    command.clear();
  }
  return commands;
}

// One empty line between groups is enough.
std::string HelpFormat::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const {
  return base::replace_all(CLI::Formatter::make_help(app, std::move(name), mode), "\n\n\n", "\n\n");
}

std::string HelpFormat::make_option(const CLI::Option* option, bool is_positional) const {
  const int column = std::min(kHelpColumn, width_ / 3);
  const std::string left = "  " + left_side(*option, is_positional);
  const std::string right = wrap_text(right_side(*option), width_ - column, 0);
  const std::string indent(static_cast<std::size_t>(column), ' ');
  const std::string indented = base::replace_all(right, "\n", "\n" + indent);
  if (left.size() + 2 > indent.size()) return wrap_text(left, width_, 6) + "\n" + indent + indented + "\n";
  return left + indent.substr(left.size()) + indented + "\n";
}

std::string HelpFormat::make_description(const CLI::App* app) const {
  return wrap_text(app->get_description(), width_, 0) + "\n";
}

std::string HelpFormat::make_footer(const CLI::App* app) const {
  std::string text;
  for (std::string& line : example_commands(app->get_footer())) {
    if (line.starts_with("  ")) line.insert(2, "assay ");  // not the title
    text += wrap_command(line, width_, kExampleIndent) + "\n";
  }
  return text;
}

}  // namespace assay::cli
