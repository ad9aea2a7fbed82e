// Finds the command in the table and builds the options of that command only. `assay --help` and the tools' help texts
// come from the table alone, without creating a command: help and short checks run often and have to start quickly.
#include "cli/run_cli.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <new>
#include <optional>
#include <streambuf>
#include <system_error>

#include "base/seconds.h"
#include "base/shell_text.h"
#include "cli/checks/error_of_any_model.h"
#include "cli/commands.h"
#include "cli/context/error_json.h"
#include "cli/context/script_python.h"
#include "cli/context/version.h"
#include "cli/help.h"
#include "cli/options/logging_options.h"
#include "cli/parse/arguments.h"
#include "cli/parse/name_as_given.h"
#include "cli/parse/one_value_per_name.h"
#include "cli/split_command.h"
#include "cli/terminal/help_format.h"
#include "cli/usage_errors.h"

namespace assay::cli {
namespace {

// Everything that a command may use besides its options.
struct Surroundings {
  Words words;  // the command line, with the program's name
  const Streams& streams;
  const Installation& installation;
  worker::Pool& pool;
  const base::Stop& stop;
};

bool is_help(const std::string& word) {
  return word == "-h" || word == "--help";
}

// Logs the command's result as its last line and returns the exit status.
int report(base::Log& log, const base::Expected<int>& result, const Surroundings& surroundings, const std::string& line,
           double seconds) {
  const base::Stop& stop = surroundings.stop;
  if (!result) {
    log.error("{}", result.error().message());
  }
  const bool interrupted = stop.requested() || (!result && result.error().kind == base::ErrorKind::interrupted);
  const bool of_any_model =
      !result && surroundings.streams.in_check && is_of_any_model(result.error(), surroundings.words);
  const int failed = of_any_model ? kExitUsage : kExitFailed;
  const int status = interrupted ? kExitInterrupted : result.value_or(failed);
  if (interrupted && !surroundings.streams.out) return status;  // the reader has gone (`assay ... | head`)
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

// Turns an allocation that fails, or a thread that can't start, into an error. This is the last resort for allocations
// whose sizes come from files.
base::Expected<int> run_if_resources_suffice(Command& command, Context& context) {
  try {
    return command.run(context);
  } catch (const std::bad_alloc&) {
    return base::fail(base::ErrorKind::io, "there is not enough memory for this command", {},
                      "Free some, raise the limit of the process (ulimit -v), or use smaller files or shapes");
  } catch (const std::system_error& error) {
    if (error.code() != std::errc::resource_unavailable_try_again) throw;
    return base::fail(base::ErrorKind::io, "cannot start a thread: " + error.code().message(), {},
                      "Raise the limit on processes (ulimit -u, or that of the container), or end some");
  }
}

// A command whose options are set.
struct Parsed {
  Command& command;
  const CLI::App& app;
  const Words& words;  // that the parser has read
};

// Runs a command. If it prints JSON and fails before it has printed any, prints the error as JSON, too.
base::Expected<int> run_with(const Parsed& parsed, base::Log& log, const Surroundings& surroundings) {
  const auto& [words, streams, installation, pool, stop] = surroundings;
  NotingBuffer buffer(streams.out);
  std::ostream out(&buffer);
  Context context{log, out, stop, pool, installation, words, streams.page, named_python(parsed.app), streams.in_check};
  base::Expected<int> result = run_if_resources_suffice(parsed.command, context);
  if (!result) result = base::fail(name_as_given(std::move(result).error(), parsed.app, parsed.words));
  if (!result && parsed.command.prints_data() && !buffer.was_used()) out << error_json(result.error()) << std::flush;
  if (!out) streams.out.setstate(std::ios::badbit);
  return result;
}

struct Arguments {
  Words words;
  Words logging{};  // logging options from elsewhere on the command line
};

// Parses the command's own words into its options. `parsed`: gets the words that the parser has read. Returns the exit
// status if that ends the command line, because help is wanted or the words can't be parsed.
std::optional<int> parse(CLI::App& app, const CommandRow& row, Command& command, const Arguments& arguments,
                         const Streams& streams, Words& parsed) {
  Remainder remainder = split_remainder(arguments.words, command.remainder_option());
  if (remainder.found) command.set_remainder(remainder.after);
  remainder.before.insert(remainder.before.end(), arguments.logging.begin(), arguments.logging.end());
  // Prefixes are not completed in `debug`: too many of its options begin like --check. Nor are they in `diagnose`,
  // which has no --check, although users may expect it.
  const bool completes = row.tool != "debug" && row.tool != "diagnose";
  auto expanded = completes ? expand_prefixes(app, remainder.before) : base::Expected<Words>(remainder.before);
  if (!expanded) return usage_error(streams, expanded.error().message());
  Words reversed = prepare_lists(app, *expanded);
  std::reverse(reversed.begin(), reversed.end());
  try {
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    streams.out << app.help();
    return kExitPassed;
  } catch (const CLI::ParseError& error) {
    return parse_error(streams, app, error);
  }
  if (const base::Status checked = check_one_value_per_name(app, *expanded); !checked) {
    return usage_error(streams, checked.error().message());
  }
  parsed = *std::move(expanded);
  return std::nullopt;
}

int run_command(const CommandRow& row, const Arguments& arguments, const Surroundings& surroundings) {
  const Streams& streams = surroundings.streams;
  const std::string name = "assay " + std::string(row.tool) + (row.noun.empty() ? "" : " ") + std::string(row.noun);
  CLI::App app(std::string(row.summary), name);
  app.formatter(std::make_shared<HelpFormat>(help_width(streams.out_terminal)));
  if (!row.examples.empty()) app.footer("Examples:\n" + std::string(row.examples));
  const std::unique_ptr<Command> command = row.make();
  LoggingOptions logging;
  command->add_options(app);
  logging.add_to(app);
  restore_brackets(app);
  refuse_empty_names(app);
  Words parsed;
  if (const std::optional<int> status = parse(app, row, *command, arguments, streams, parsed)) return *status;

  const bool prints_data = command->prints_data() || command->prints_script();
  const Terminal& terminal = prints_data ? streams.err_terminal : streams.out_terminal;
  const auto options = logging.log_options(terminal);
  if (!options) return usage_error(streams, options.error().message());
  if (const auto file = logging.check_file(app); !file) return usage_error(streams, file.error().message());
  const auto log =
      make_console_log(*options, terminal, prints_data ? streams.err : streams.out, streams.err, streams.err_terminal);
  if (!log) return usage_error(streams, log.error().message());
  const auto start = std::chrono::steady_clock::now();
  const std::string line = base::shell_text(surroundings.words);
  (*log)->log(base::Level::start, "RUNNING | Command: {}", line);
  const base::Expected<int> result = run_with({*command, app, parsed}, **log, surroundings);
  const double seconds = base::seconds_since(start);
  if (streams.error != nullptr && !result) *streams.error = result.error();
  if (prints_data && surroundings.stop.requested() && !streams.out) return kExitInterrupted;  // as in `... | head`
  return report(**log, result, surroundings, line, seconds);
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
  Surroundings surroundings{{"assay"}, streams, installation, pool, stop};
  surroundings.words.insert(surroundings.words.end(), words.begin(), words.end());
  if (const CommandRow* row = find_command(tool, "")) {
    return run_command(*row, {.words = {words.begin() + 1, words.end()}}, surroundings);
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
  return run_command(*row, {.words = split->rest, .logging = split->logging}, surroundings);
}

}  // namespace assay::cli
