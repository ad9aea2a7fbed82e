#include "cli/split_command.h"

#include <CLI/App.hpp>
#include <CLI/Formatter.hpp>

#include <algorithm>
#include <utility>

#include "cli/options/logging_options.h"

namespace assay::cli {
namespace {

// Returns the first word after the option at `at` that isn't one of its values. --verbosity and --log-format take
// several values, which end at the subtool.
std::size_t after_option(const Words& words, std::size_t at, const CLI::App& app,
                         const std::vector<std::string>& subtools) {
  const CLI::Option* option = app.get_option_no_throw(words[at]);
  ++at;
  if (option == nullptr || option->get_items_expected_max() == 0) return at;
  if (option->get_items_expected_max() == 1) return std::min(at + 1, words.size());
  while (at < words.size() && !words[at].starts_with('-') && std::ranges::find(subtools, words[at]) == subtools.end()) {
    ++at;
  }
  return at;
}

}  // namespace

base::Expected<CommandWords> split_command(const Words& words, const std::vector<std::string>& subtools) {
  CLI::App app;
  LoggingOptions logging;
  logging.add_to(app);
  std::size_t at = 0;
  while (at < words.size() && words[at].starts_with('-') && words[at] != "-h" && words[at] != "--help") {
    at = after_option(words, at, app, subtools);
  }
  const auto noun = words.begin() + static_cast<std::ptrdiff_t>(at);
  CommandWords split{.logging = {words.begin(), noun}, .noun = {}, .rest = {}};
  if (const base::Status parsed = parse_words(app, split.logging); !parsed) {
    return base::fail(base::ErrorKind::invalid_input, parsed.error().what, {},
                      "Only logging options may stand in front of the subtool");
  }
  if (noun == words.end()) return split;
  split.noun = *noun;
  split.rest.assign(noun + 1, words.end());
  return split;
}

}  // namespace assay::cli
