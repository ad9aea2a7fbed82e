// The text of `assay TOOL SUBTOOL --help`, wrapped at the terminal's width.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Formatter.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

// Returns the values that an option allows; empty: any.
std::vector<std::string> choices(const CLI::Option& option);

// Returns the name of an option's value, which the option declares with option_text(): "FILE". Empty for flags.
std::string value_name(const CLI::Option& option);

// Returns what follows an option's description: " (default: 3) (not with --fp16) (required)". May be empty.
std::string option_notes(const CLI::Option& option);

// Returns the commands of examples, which are one a line. A backslash at the end of a line continues its command.
std::vector<std::string> example_commands(std::string_view examples);

class HelpFormat final : public CLI::Formatter {
 public:
  // `width`: columns of a line.
  explicit HelpFormat(int width) : width_(width) {}

  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_description(const CLI::App* app) const override;
  // Takes a title and examples.
  std::string make_footer(const CLI::App* app) const override;

 private:
  int width_;
};

}  // namespace assay::cli
