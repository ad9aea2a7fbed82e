// The commands and their options as data. The man page and the shell completions are generated from it, so they can't
// contradict the program.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/context/command.h"

namespace assay::cli {

struct OptionFacts {
  std::vector<std::string> names;  // "-o", "--output"; a positional has one name without a dash
  std::string group;               // heading in --help
  std::string help;
  std::string notes;                 // follow the help: " (default: 3) (required)"
  std::string value;                 // what its value is: "FILE"; empty: takes none
  std::vector<std::string> choices;  // the allowed values; empty: any
  std::vector<std::string> offered;  // what shells complete: the choices, or words that are allowed besides others
  bool takes_value = false;
  bool repeats = false;    // takes several values
  bool remainder = false;  // takes every word to the end of the line, as a command

  [[nodiscard]] bool positional() const { return !names[0].starts_with('-'); }
};

struct CommandFacts {
  std::string tool, noun;  // noun: empty for a tool without subtools
  std::string summary;
  std::string examples;  // lines without the leading "assay ", as in the table
  std::vector<OptionFacts> options;

  [[nodiscard]] std::string words() const { return noun.empty() ? tool : tool + " " + noun; }
};

// Returns the options that --help lists, in its order; refused options are left out.
CommandFacts describe(const CommandRow& row);
std::vector<CommandFacts> describe_all(std::span<const CommandRow> rows);

}  // namespace assay::cli
