// Prepares a command line for CLI11, so that it accepts what Polygraphy accepts: unique prefixes of options, values in
// brackets, a single value after '=', and options that take the rest of the line.
#pragma once

#include <CLI/App.hpp>

#include <string>
#include <utility>
#include <vector>

#include "base/error.h"

namespace assay::cli {

using Words = std::vector<std::string>;

// Splits the words at the first of `spellings`. The first word after it may also follow '=': --check=CMD. If none is
// found, `before` holds all words and `found` is false.
struct Remainder {
  Words before;
  Words after;
  bool found = false;
};
Remainder split_remainder(const Words& words, const std::vector<std::string>& spellings);

// Completes long options that are abbreviated to a unique prefix ("--load-in x" -> "--load-inputs x"). Errors:
// invalid_input if a word is a prefix of several options. A word that is a prefix of none stays as it is.
base::Expected<Words> expand_prefixes(const CLI::App& app, const Words& words);

// Rewrites values of options that take several, since CLI11 would split "[0,1]" into two, and give such an option the
// words after "--outputs=y", too. restore_brackets() makes every option remove the marks that this adds. It also lets
// the last of several single values count.
Words prepare_lists(const CLI::App& app, const Words& words);
void restore_brackets(CLI::App& app);

// Makes options for files and folders refuse an empty name, as an unset variable of a shell leaves it: the option would
// have no effect.
void refuse_empty_names(CLI::App& app);

// Does all of the above and parses, for the command line of a check. Prints no help. Errors: invalid_input with the
// parser's message, or that of check_one_value_per_name().
base::Status parse_words(CLI::App& app, const Words& words);

}  // namespace assay::cli
