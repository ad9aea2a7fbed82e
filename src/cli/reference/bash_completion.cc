// The script has look-up functions generated from the table (tools, subtools, options, values, options that take
// several values and options that take a command), and one fixed function that uses them.
#include <fmt/format.h>

#include "base/strings.h"
#include "cli/reference/completion.h"

namespace assay::cli {
namespace {

constexpr std::string_view kFunction = R"bash(
_assay() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} at=2 words i
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_assay_tools)" -- "$current")
    return
  fi
  words=$(_assay_nouns "$command")
  if [ -n "$words" ]; then
    if [ "$COMP_CWORD" -eq 2 ]; then
      mapfile -t COMPREPLY < <(compgen -W "$words --help" -- "$current")
      return
    fi
    command="$command ${COMP_WORDS[2]}" at=3
  fi
  for ((i = at; i < COMP_CWORD; ++i)); do
    case " $(_assay_remainder "$command") " in
      *" ${COMP_WORDS[i]} "*)
        COMP_WORDS=("${COMP_WORDS[@]:i+1}") COMP_CWORD=$((COMP_CWORD - i - 1))
        if [ "$COMP_CWORD" -eq 0 ]; then
          mapfile -t COMPREPLY < <(compgen -c -- "$current")
        elif [ "${COMP_WORDS[0]##*/}" = assay ]; then
          _assay
        fi
        return ;;
    esac
  done
  words=$(_assay_values "$command" "$previous")
  if [ -z "$words" ] && [[ $current != -* ]]; then  # it may be a further value of an option that takes several
    for ((i = COMP_CWORD - 1; i >= at; --i)); do
      [[ ${COMP_WORDS[i]} == -* ]] || continue
      case " $(_assay_several "$command") " in
        *" ${COMP_WORDS[i]} "*)
          if [ "${COMP_WORDS[i+1]}" != = ]; then words=$(_assay_values "$command" "${COMP_WORDS[i]}"); fi ;;
      esac
      break
    done
  fi
  if [ -n "$words" ]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  elif [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_assay_options "$command")" -- "$current")
  fi
}
complete -o bashdefault -o default -F _assay assay
)bash";

std::vector<std::string> option_names(const CommandFacts& command, bool (*wanted)(const OptionFacts&)) {
  std::vector<std::string> names;
  for (const OptionFacts& option : command.options) {
    if (!option.positional() && wanted(option)) names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return names;
}

// Returns a shell function that prints the case that matches its arguments.
std::string look_up(std::string_view name, const std::string& cases) {
  return fmt::format("{}() {{\n  case \"$*\" in\n{}    *) ;;\n  esac\n}}\n", name, cases);
}

std::string row(std::string_view patterns, const std::vector<std::string>& words) {
  return words.empty() ? "" : fmt::format("    {}) echo '{}' ;;\n", patterns, base::join(words, " "));
}

std::string value_rows(const CommandFacts& command) {
  std::string rows;
  for (const OptionFacts& option : command.options) {
    std::vector<std::string> patterns;
    for (const std::string& name : option.names) patterns.push_back(fmt::format("'{} {}'", command.words(), name));
    if (!option.offered.empty()) rows += row(base::join(patterns, " | "), option.offered);
  }
  return rows;
}

}  // namespace

std::string bash_completion(std::span<const ToolRow> tools, std::span<const CommandFacts> commands) {
  std::vector<std::string> tool_names;
  std::string nouns, options, remainders, several, values;
  for (const ToolRow& tool : tools) {
    tool_names.emplace_back(tool.tool);
    std::vector<std::string> own;
    for (const CommandFacts& command : commands) {
      if (command.tool == tool.tool && !command.noun.empty()) own.push_back(command.noun);
    }
    nouns += row(tool.tool, own);
  }
  for (const CommandFacts& command : commands) {
    const std::string pattern = fmt::format("'{}'", command.words());
    options += row(pattern, option_names(command, [](const OptionFacts&) { return true; }));
    remainders += row(pattern, option_names(command, [](const OptionFacts& option) { return option.remainder; }));
    several +=
        row(pattern,
            option_names(command, [](const OptionFacts& option) { return option.repeats && !option.offered.empty(); }));
    values += value_rows(command);
  }
  return fmt::format(
             "# Bash completion of assay, generated from its table of commands.\n\n_assay_tools() {{ echo '{} --help "
             "--version'; }}\n",
             base::join(tool_names, " ")) +
         look_up("_assay_nouns", nouns) + look_up("_assay_options", options) + look_up("_assay_remainder", remainders) +
         look_up("_assay_several", several) + look_up("_assay_values", values) + std::string(kFunction);
}

}  // namespace assay::cli
