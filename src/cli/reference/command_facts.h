// What the table of commands knows about itself, as data: the man page and the shells' completions are written from it,
// so that neither can say something else than the program does.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/command.h"

namespace assay::cli {

struct OptionFacts {
  std::vector<std::string> names;  // "-o", "--output"; a positional's only name has no dash
  std::string group;               // heading in --help
  std::string help;
  std::vector<std::string> choices;  // the only values that it takes; empty: any
  bool takes_value = false;
  bool repeats = false;  // takes several values
  bool required = false;
  bool remainder = false;  // takes every word to the end of the line, the words of a command

  [[nodiscard]] bool positional() const { return !names[0].starts_with('-'); }
};

struct CommandFacts {
  std::string tool, noun;  // noun: empty for a tool without subtools
  std::string summary;
  std::string examples;  // lines without the leading "assay ", as the table has them
  std::vector<OptionFacts> options;

  [[nodiscard]] std::string words() const { return noun.empty() ? tool : tool + " " + noun; }
};

// The options that --help lists, in its order; those that are refused are left out.
CommandFacts describe(const CommandRow& row);
std::vector<CommandFacts> describe_all(std::span<const CommandRow> rows);

}  // namespace assay::cli
