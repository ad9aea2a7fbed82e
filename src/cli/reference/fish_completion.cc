// The script has one `complete` line for each tool, subtool and option. After --check it offers file names only.
#include <fmt/format.h>

#include "base/strings.h"
#include "cli/reference/completion.h"

namespace assay::cli {
namespace {

std::string fish_string(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return result + "'";
}

std::string option_line(const CommandFacts& command, const OptionFacts& option) {
  std::string line = fmt::format("complete -c assay -n {}", fish_string("__assay_in " + command.words()));
  for (const std::string& name : option.names) {
    line += name.starts_with("--") ? " -l " + name.substr(2) : (name.size() == 2 ? " -s " : " -o ") + name.substr(1);
  }
  if (!option.offered.empty()) {
    line += fmt::format(" -x -a {}", fish_string(base::join(option.offered, " ")));
  } else if (option.takes_value) {
    line += " -r";
  }
  return line + " -d " + fish_string(option.help) + "\n";
}

}  // namespace

std::string fish_completion(std::span<const ToolRow> tools, std::span<const CommandFacts> commands) {
  std::string text =
      "# Fish completion of assay, generated from its table of commands.\n"
      "function __assay_in # WORDS...: whether the command line runs this command\n"
      "  set -l words (commandline -opc)\n"
      "  for i in (seq (count $argv))\n"
      "    set -l at (math $i + 1)\n"
      "    test \"$words[$at]\" = \"$argv[$i]\"; or return 1\n"
      "  end\n"
      "end\n"
      "function __assay_at # COUNT: whether this many words precede the one being typed\n"
      "  test (count (commandline -opc)) -eq $argv[1]\n"
      "end\n";
  for (const ToolRow& tool : tools) {
    text += fmt::format("complete -c assay -f -n '__assay_at 1' -a {} -d {}\n", tool.tool, fish_string(tool.summary));
  }
  for (const CommandFacts& command : commands) {
    if (!command.noun.empty()) {
      text += fmt::format("complete -c assay -f -n '__assay_in {}; and __assay_at 2' -a {} -d {}\n", command.tool,
                          command.noun, fish_string(command.summary));
    }
    for (const OptionFacts& option : command.options) {
      if (!option.positional()) text += option_line(command, option);
    }
  }
  return text;
}

}  // namespace assay::cli
