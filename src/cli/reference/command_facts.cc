#include "cli/reference/command_facts.h"

#include <algorithm>

#include "cli/options/logging_options.h"
#include "cli/options/offered_words.h"
#include "cli/terminal/help_format.h"

namespace assay::cli {
namespace {

OptionFacts describe(const CLI::Option& option) {
  OptionFacts facts;
  for (const std::string& name : option.get_snames()) facts.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) facts.names.push_back("--" + name);
  if (facts.names.empty()) facts.names.push_back(option.get_name(true));
  facts.group = option.get_group();
  facts.help = option.get_description();
  facts.notes = option_notes(option);
  facts.takes_value = option.get_items_expected_max() > 0;
  facts.repeats = option.get_items_expected_max() > 1;
  facts.value = value_name(option);
  if (facts.takes_value) facts.choices = choices(option);
  facts.offered = facts.choices.empty() ? offered_words(option) : facts.choices;
  return facts;
}

}  // namespace

CommandFacts describe(const CommandRow& row) {
  CommandFacts facts{
      std::string(row.tool), std::string(row.noun), std::string(row.summary), std::string(row.examples), {}};
  CLI::App app;
  const std::unique_ptr<Command> command = row.make();
  LoggingOptions logging;
  command->add_options(app);
  logging.add_to(app);
  const std::vector<std::string> remainder = command->remainder_option();
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    facts.options.push_back(describe(*option));
    facts.options.back().remainder =
        std::ranges::find_first_of(facts.options.back().names, remainder) != facts.options.back().names.end();
  }
  return facts;
}

std::vector<CommandFacts> describe_all(std::span<const CommandRow> rows) {
  std::vector<CommandFacts> all;
  for (const CommandRow& row : rows) all.push_back(describe(row));
  return all;
}

}  // namespace assay::cli
