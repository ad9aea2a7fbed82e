// Finds the command in the table and builds the options of that command only. `assay --help` and the tools' help texts
// come from the table alone, without creating a command: help and short checks run often and have to start quickly.
#include "cli/run_cli.h"

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>

#include "base/similar_names.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/options/logging_options.h"
#include "cli/version.h"

namespace assay::cli {
namespace {

bool is_help(const std::string& word) {
  return word == "-h" || word == "--help";
}

// The tools, or the subtools of one.
std::vector<std::string> tools() {
  std::vector<std::string> names;
  for (const CommandRow& row : commands()) {
    if (names.empty() || names.back() != row.tool) names.emplace_back(row.tool);
  }
  return names;
}
std::vector<std::string> subtools(std::string_view tool) {
  std::vector<std::string> names;
  for (const CommandRow& row : commands()) {
    if (row.tool == tool && !row.noun.empty()) names.emplace_back(row.noun);
  }
  return names;
}

bool tool_exists(std::string_view tool) {
  return std::ranges::find(commands(), tool, &CommandRow::tool) != commands().end();
}

// "Did you mean X? " in front of what helps in any case.
std::string suggest(const std::vector<std::string>& names, const std::string& wanted) {
  const std::string question = base::did_you_mean(names, wanted);
  return question.empty() ? "" : question + " ";
}

int usage_error(const Streams& streams, std::string_view message) {
  fmt::print(streams.err, "assay: {}\n", message);
  return kExitUsage;
}

int unknown_command(const Streams& streams, const std::string& tool, const std::string& noun) {
  for (const MissingRow& row : missing_commands()) {
    if (row.tool == tool && (row.noun.empty() || row.noun == noun)) {
      return usage_error(streams, fmt::format("'{}{}{}' is not available: {}", row.tool, row.noun.empty() ? "" : " ",
                                              row.noun, row.reason));
    }
  }
  if (!tool_exists(tool)) {
    return usage_error(
        streams, fmt::format("there is no tool '{}'. {}`assay --help` lists the tools", tool, suggest(tools(), tool)));
  }
  return usage_error(streams, fmt::format("'{}' has no subtool '{}'. {}`assay {} --help` lists its subtools", tool,
                                          noun, suggest(subtools(tool), noun), tool));
}

// Prints CLI11's message. Like Polygraphy, exits with another status for unknown options than for other mistakes.
int parse_error(const Streams& streams, const CLI::App& app, const CLI::ParseError& error) {
  std::vector<std::string> options;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  }
  std::string question;
  for (const std::string& word : app.remaining()) {
    if (question.empty() && word.starts_with("--")) question = suggest(options, word);
  }
  fmt::print(streams.err, "{}: {}\n{}Run `{} --help` for the options.\n", app.get_name(), error.what(), question,
             app.get_name());
  return dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr ? kExitFailed : kExitUsage;
}

// Logs the command's result as its last line and returns the exit status.
int report(base::Log& log, const base::Expected<int>& result, const base::Stop& stop, const std::string& line,
           double seconds) {
  if (!result) {
    log.write(base::Level::error, result.error().message());
  }
  const bool interrupted = stop.requested() || (!result && result.error().kind == base::ErrorKind::interrupted);
  const int status = interrupted ? kExitInterrupted : result.value_or(kExitFailed);
  if (status == kExitPassed) {
    log.log(base::Level::finish, "PASSED | Runtime: {:.3f}s | Command: {}", seconds, line);
  } else {
    log.log(base::Level::error, "{} | Runtime: {:.3f}s | Command: {}", interrupted ? "STOPPED" : "FAILED", seconds,
            line);
  }
  return status;
}

int run_command(const CommandRow& row, const Words& words, const std::string& line, const Streams& streams,
                const Installation& installation, worker::Pool& pool, const base::Stop& stop) {
  const std::string name = "assay " + std::string(row.tool) + (row.noun.empty() ? "" : " ") + std::string(row.noun);
  CLI::App app(std::string(row.summary), name);
  if (!row.examples.empty()) app.footer("Examples:\n" + std::string(row.examples));
  const std::unique_ptr<Command> command = row.make();
  LoggingOptions logging;
  command->add_options(app);
  logging.add_to(app);
  restore_brackets(app);

  const Remainder remainder = split_remainder(words, command->remainder_option());
  if (remainder.found) command->set_remainder(remainder.after);
  // Prefixes are not completed in `debug`: too many of its options begin like --check.
  auto expanded =
      row.tool == "debug" ? base::Expected<Words>(remainder.before) : expand_prefixes(app, remainder.before);
  if (!expanded) return usage_error(streams, expanded.error().message());
  Words reversed = protect_brackets(*std::move(expanded));
  std::reverse(reversed.begin(), reversed.end());
  try {
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    streams.out << app.help();
    return kExitPassed;
  } catch (const CLI::ParseError& error) {
    return parse_error(streams, app, error);
  }

  const auto options = logging.log_options(streams.terminal);
  if (!options) return usage_error(streams, options.error().message());
  const auto log = make_console_log(*options, command->prints_data() ? streams.err : streams.out, streams.err);
  if (!log) return usage_error(streams, log.error().message());
  const auto start = std::chrono::steady_clock::now();
  (*log)->log(base::Level::start, "RUNNING | Command: {}", line);
  Context context{**log, streams.out, stop, pool, installation};
  const base::Expected<int> result = command->run(context);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  if (streams.error != nullptr && !result) *streams.error = result.error();
  return report(**log, result, stop, line, elapsed.count());
}

}  // namespace

int run_cli(const std::vector<std::string>& words, const Streams& streams, const Installation& installation,
            worker::Pool& pool, const base::Stop& stop) {
  if (words.empty()) {
    streams.err << top_help();
    return kExitUsage;
  }
  if (is_help(words[0])) {
    streams.out << top_help();
    return kExitPassed;
  }
  if (words[0] == "-v" || words[0] == "--version") {
    streams.out << version_text(installation);
    return kExitPassed;
  }
  const std::string& tool = words[0];
  const std::string line = "assay " + shell_text(words);
  if (const CommandRow* row = find_command(tool, "")) {
    return run_command(*row, {words.begin() + 1, words.end()}, line, streams, installation, pool, stop);
  }
  const bool known_tool = tool_exists(tool);
  if (known_tool && (words.size() == 1 || is_help(words[1]))) {
    (words.size() == 1 ? streams.err : streams.out) << tool_help(tool);
    return words.size() == 1 ? kExitUsage : kExitPassed;
  }
  const std::string noun = words.size() > 1 ? words[1] : "";
  const CommandRow* row = find_command(tool, noun);
  if (row == nullptr) return unknown_command(streams, tool, noun);
  return run_command(*row, {words.begin() + 2, words.end()}, line, streams, installation, pool, stop);
}

}  // namespace assay::cli
