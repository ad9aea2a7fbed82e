// Finds the command in the table and builds the options of that command only. `assay --help` and the tools' help texts
// come from the table alone, without creating a command: help and short checks run often and have to start quickly.
#include "cli/run_cli.h"

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <new>
#include <streambuf>

#include "base/seconds.h"
#include "base/similar_names.h"
#include "base/strings.h"
#include "cli/commands.h"
#include "cli/error_json.h"
#include "cli/help.h"
#include "cli/options/logging_options.h"
#include "cli/parse/arguments.h"
#include "cli/parse/split_command.h"
#include "cli/terminal/help_format.h"
#include "cli/version.h"

namespace assay::cli {
namespace {

bool is_help(const std::string& word) {
  return word == "-h" || word == "--help";
}

std::vector<std::string> tool_names() {
  std::vector<std::string> names;
  for (const ToolRow& row : tools()) names.emplace_back(row.tool);
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

// Returns "Did you mean X? ", to be followed by the general advice, or an empty string if no name is similar.
std::string suggest(const std::vector<std::string>& names, const std::string& wanted) {
  const std::string question = base::did_you_mean(names, wanted);
  return question.empty() ? "" : question + " ";
}

int usage_error(const Streams& streams, std::string_view message) {
  fmt::print(streams.err, "assay: {}\n", message);
  return kExitUsage;
}

int unknown_command(const Streams& streams, const std::string& tool, const std::string& noun) {
  if (!tool_exists(tool)) {
    return usage_error(streams, fmt::format("there is no tool '{}'. {}`assay --help` lists the tools", tool,
                                            suggest(tool_names(), tool)));
  }
  return usage_error(streams, fmt::format("'{}' has no subtool '{}'. {}`assay {} --help` lists its subtools", tool,
                                          noun, suggest(subtools(tool), noun), tool));
}

// Returns a sentence about a value that isn't a number of the option's type; empty if `what` is another message.
std::string text_of_conversion(const CLI::App& app, const std::string& what) {
  constexpr std::string_view kBegin = "Could not convert: ";
  const std::size_t equals = what.find(" = ");
  if (!what.starts_with(kBegin) || equals == std::string::npos) return {};
  const std::string name = what.substr(kBegin.size(), equals - kBegin.size());
  const std::string value = what.substr(equals + 3);
  const CLI::Option* option = app.get_option_no_throw(name);
  if (option == nullptr) return {};
  const bool is_whole = value.find_first_not_of("+-0123456789") == std::string::npos;
  if (is_whole) return fmt::format("{} can't be {}: the number is too large", name, value);
  const bool is_fraction = option->get_type_name().starts_with("FLOAT");
  return fmt::format("{} must be a {}number, but is {}", name, is_fraction ? "" : "whole ", value);
}

// Returns CLI11's message, as a sentence.
std::string text_of(const CLI::App& app, const CLI::ParseError& error) {
  const std::string what = error.what();
  if (std::string text = text_of_conversion(app, what); !text.empty()) return text;
  const std::size_t colon = what.find(": ");
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr && what.ends_with(" missing")) {
    const CLI::Option* option = app.get_option_no_throw(what.substr(0, colon));
    // CLI11 names the type of the value in C++.
    if (option != nullptr) {
      const std::vector<std::string> values = choices(*option);
      return fmt::format("{} needs a value: {}", option->get_name(),
                         values.empty() ? value_name(*option) : "one of " + base::join(values, ", "));
    }
  }
  // A rule for values (validators.h) continues the option's name to a sentence.
  return base::replace_all(what, ": must be ", " must be ");
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
  fmt::print(streams.err, "{}: {}\n{}Run `{} --help` for the options.\n", app.get_name(), text_of(app, error), question,
             app.get_name());
  return dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr ? kExitFailed : kExitUsage;
}

// Logs the command's result as its last line and returns the exit status.
int report(base::Log& log, const base::Expected<int>& result, const base::Stop& stop, const std::string& line,
           double seconds) {
  if (!result) {
    log.error("{}", result.error().message());
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

// Passes everything on, and records whether anything was written.
class NotingBuffer final : public std::streambuf {
 public:
  explicit NotingBuffer(std::ostream& out) : out_(out) {}
  [[nodiscard]] bool was_used() const { return was_used_; }

 protected:
  std::streamsize xsputn(const char* text, std::streamsize count) override {
    was_used_ = was_used_ || count > 0;
    return out_.rdbuf()->sputn(text, count);
  }
  int_type overflow(int_type c) override {
    was_used_ = true;
    return out_.rdbuf()->sputc(traits_type::to_char_type(c));
  }
  int sync() override { return out_.rdbuf()->pubsync(); }

 private:
  std::ostream& out_;
  bool was_used_ = false;
};

// Turns an allocation that fails into an error. This is the last resort for allocations whose sizes come from files.
base::Expected<int> run_if_memory_suffices(Command& command, Context& context) {
  try {
    return command.run(context);
  } catch (const std::bad_alloc&) {
    return base::fail(base::ErrorKind::io, "there is not enough memory for this command", {},
                      "Free some, raise the limit of the process (ulimit -v), or use smaller files or shapes");
  }
}

// Runs a command. If it prints data for programs and fails before it has printed any, prints the error as data, too.
base::Expected<int> run_with(Command& command, const std::string& line, base::Log& log, const Streams& streams,
                             const Installation& installation, worker::Pool& pool, const base::Stop& stop) {
  NotingBuffer buffer(streams.out);
  std::ostream out(&buffer);
  Context context{log, out, stop, pool, installation, line, streams.page};
  base::Expected<int> result = run_if_memory_suffices(command, context);
  if (!result && command.prints_data() && !buffer.was_used()) out << error_json(result.error()) << std::flush;
  if (!out) streams.out.setstate(std::ios::badbit);
  return result;
}

struct Arguments {
  Words words;
  Words logging{};  // logging options from elsewhere on the command line
};

int run_command(const CommandRow& row, const Arguments& arguments, const std::string& line, const Streams& streams,
                const Installation& installation, worker::Pool& pool, const base::Stop& stop) {
  const std::string name = "assay " + std::string(row.tool) + (row.noun.empty() ? "" : " ") + std::string(row.noun);
  CLI::App app(std::string(row.summary), name);
  app.formatter(std::make_shared<HelpFormat>(help_width(streams.out_terminal)));
  if (!row.examples.empty()) app.footer("Examples:\n" + std::string(row.examples));
  const std::unique_ptr<Command> command = row.make();
  LoggingOptions logging;
  command->add_options(app);
  logging.add_to(app);
  restore_brackets(app);

  Remainder remainder = split_remainder(arguments.words, command->remainder_option());
  if (remainder.found) command->set_remainder(remainder.after);
  remainder.before.insert(remainder.before.end(), arguments.logging.begin(), arguments.logging.end());
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

  const Terminal& terminal = command->prints_data() ? streams.err_terminal : streams.out_terminal;
  const auto options = logging.log_options(terminal);
  if (!options) return usage_error(streams, options.error().message());
  const auto log =
      make_console_log(*options, terminal, command->prints_data() ? streams.err : streams.out, streams.err);
  if (!log) return usage_error(streams, log.error().message());
  const auto start = std::chrono::steady_clock::now();
  (*log)->log(base::Level::start, "RUNNING | Command: {}", line);
  const base::Expected<int> result = run_with(*command, line, **log, streams, installation, pool, stop);
  const double seconds = base::seconds_since(start);
  if (streams.error != nullptr && !result) *streams.error = result.error();
  return report(**log, result, stop, line, seconds);
}

}  // namespace

int run_cli(const std::vector<std::string>& words, const Streams& streams, const Installation& installation,
            worker::Pool& pool, const base::Stop& stop) {
  if (words.empty()) {
    streams.err << top_help(help_width(streams.err_terminal));
    return kExitUsage;
  }
  if (is_help(words[0])) {
    streams.out << top_help(help_width(streams.out_terminal));
    return kExitPassed;
  }
  if (words[0] == "-v" || words[0] == "--version") {
    streams.out << version_text(installation);
    return kExitPassed;
  }
  const std::string& tool = words[0];
  const std::string line = "assay " + shell_text(words);
  if (const CommandRow* row = find_command(tool, "")) {
    return run_command(*row, {.words = {words.begin() + 1, words.end()}}, line, streams, installation, pool, stop);
  }
  const auto split = split_command({words.begin() + 1, words.end()}, subtools(tool));
  if (tool_exists(tool)) {
    if (!split) return usage_error(streams, split.error().message());
    if (split->noun.empty()) {
      streams.err << tool_help(tool, help_width(streams.err_terminal));
      return kExitUsage;
    }
    if (is_help(split->noun)) {
      streams.out << tool_help(tool, help_width(streams.out_terminal));
      return kExitPassed;
    }
  }
  const std::string noun = split ? split->noun : std::string();
  const CommandRow* row = find_command(tool, noun);
  if (row == nullptr) return unknown_command(streams, tool, noun);
  return run_command(*row, {.words = split->rest, .logging = split->logging}, line, streams, installation, pool, stop);
}

}  // namespace assay::cli
