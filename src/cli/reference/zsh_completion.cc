// The script has one case for each command, with the specifications that zsh's _arguments reads.
#include <fmt/format.h>

#include "base/strings.h"
#include "cli/reference/completion.h"

namespace assay::cli {
namespace {

// Escapes help text for the '[...]' of a specification inside single quotes.
std::string quoted_help(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
    } else {
      if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
      result += c;
    }
  }
  return result;
}

std::string value_part(const OptionFacts& option) {
  if (!option.takes_value) return "";
  if (!option.offered.empty()) return fmt::format(":value:({})", base::join(option.offered, " "));
  return fmt::format(":{}:_files", quoted_help(option.value));
}

std::string specifications(const OptionFacts& option) {
  if (option.positional())
    return fmt::format(" \\\n        '{}:{}:_files'", option.repeats ? "*" : "", option.names[0]);
  std::string text;
  for (const std::string& name : option.names) {
    const std::string help = quoted_help(option.help);
    text += option.remainder ? fmt::format(" \\\n        '{}[{}]:*:::command:_normal'", name, help)
                             : fmt::format(" \\\n        '*{}[{}]{}'", name, help, value_part(option));
  }
  return text;
}

}  // namespace

std::string zsh_completion(std::span<const ToolRow> tools, std::span<const CommandFacts> commands) {
  std::string tool_list, noun_cases, option_cases;
  for (const ToolRow& tool : tools) {
    tool_list += fmt::format("    '{}:{}'\n", tool.tool, quoted_help(tool.summary));
    std::string nouns;
    for (const CommandFacts& command : commands) {
      if (command.tool == tool.tool && !command.noun.empty()) {
        nouns += fmt::format(" '{}:{}'", command.noun, quoted_help(command.summary));
      }
    }
    if (!nouns.empty()) noun_cases += fmt::format("    {}) nouns=({} ) ;;\n", tool.tool, nouns);
  }
  for (const CommandFacts& command : commands) {
    option_cases += fmt::format("    '{}')\n      _arguments", command.words());
    for (const OptionFacts& option : command.options) option_cases += specifications(option);
    option_cases += " ;;\n";
  }
  return fmt::format(
      R"(#compdef assay
# Zsh completion of assay, generated from its table of commands.
_assay() {{
  local -a tools nouns
  tools=(
{}  )
  if (( CURRENT == 2 )); then
    _describe tool tools
    return
  fi
  local command=$words[2]
  case $command in
{}  esac
  if (( $#nouns )); then
    if (( CURRENT == 3 )); then
      _describe subtool nouns
      return
    fi
    command="$command $words[3]"
    shift words
    (( CURRENT-- ))
  fi
  shift words
  (( CURRENT-- ))
  case $command in
{}  esac
}}
_assay "$@"
)",
      tool_list, noun_cases, option_cases);
}

}  // namespace assay::cli
