// What the peer's command line allows and CLI11 does not: done to the words before they are parsed.
#pragma once

#include <CLI/App.hpp>

#include <string>
#include <utility>
#include <vector>

#include "base/error.h"

namespace assay::cli {

using Words = std::vector<std::string>;

// Cuts the words at the first of `spellings`: (words before it, words after it). A spelling may also carry its first
// word behind '='. Without it, all words come first and `found` is false.
struct Remainder {
  Words before;
  Words after;
  bool found = false;
};
Remainder split_remainder(const Words& words, const std::vector<std::string>& spellings);

// Completes long options that are given as a unique prefix ("--load-in x" -> "--load-inputs x"). A prefix of several
// options is an error that lists them; a word that is the prefix of none stays as it is.
base::Expected<Words> expand_prefixes(const CLI::App& app, const Words& words);

// CLI11 takes "[0,1]" as a list of two values. Marks words that start with a bracket, and makes every option of `app`
// take the mark away again.
Words protect_brackets(Words words);
void restore_brackets(CLI::App& app);

// All of that, and the parsing itself, for a command line inside another: no help is printed. Errors: invalid_input
// with what the parser says.
base::Status parse_words(CLI::App& app, const Words& words);

// Commands are shown as they would be typed: words with special characters in single quotes.
std::string quote(const Words& words);

}  // namespace assay::cli
