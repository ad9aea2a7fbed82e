#include "cli/parse/name_as_given.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace assay::cli {
namespace {

using Words = std::vector<std::string>;

// Returns all spellings of an option, with their dashes.
Words spellings_of(const CLI::Option& option) {
  Words spellings;
  for (const std::string& name : option.get_lnames()) spellings.push_back("--" + name);
  for (const std::string& name : option.get_snames()) spellings.push_back("-" + name);
  return spellings;
}

// Returns whether a word of the command line is this spelling: "--report", "--report=page.html".
bool has(const Words& words, const std::string& spelling) {
  return std::ranges::any_of(words, [&](const std::string& word) {
    return word == spelling || (word.starts_with(spelling) && word[spelling.size()] == '=');
  });
}

bool is_of_a_name(char c) {
  return c == '-' || c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
}

void replace_name(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos;) {
    const std::size_t end = at + from.size();
    const bool is_whole = (at == 0 || !is_of_a_name(text[at - 1])) && (end == text.size() || !is_of_a_name(text[end]));
    if (is_whole) text.replace(at, from.size(), to);
    at += is_whole ? to.size() : from.size();
  }
}

}  // namespace

base::Error name_as_given(base::Error error, const CLI::App& app, const Words& words) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->count() == 0) continue;
    const Words spellings = spellings_of(*option);
    // A letter says less than the name that the message has.
    const auto given = std::ranges::find_if(
        spellings, [&](const auto& spelling) { return spelling.starts_with("--") && has(words, spelling); });
    if (given == spellings.end()) continue;
    for (const std::string& other : spellings) {
      if (has(words, other)) continue;
      for (std::string* text : {&error.what, &error.where, &error.fix}) replace_name(*text, other, *given);
    }
  }
  return error;
}

}  // namespace assay::cli
