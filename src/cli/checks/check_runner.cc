// A check inside this process calls run_cli() with a string stream for its output. Its pool shares the workers with all
// other checks but has a stop of its own: stopping one check kills only the worker that it uses. A check that runs as a
// process can't return an error, so it gets --refused-code, and its exit status says whether an engine refused the
// model. So does a wrapper, a script called "assay" that starts this version of Assay: it may set variables for it, so
// it can't be replaced by a call in this process.
#include "cli/checks/check_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>
#include <string_view>

#include "backend/find_python_packages.h"
#include "base/strings.h"
#include "cli/commands.h"
#include "cli/context/command.h"
#include "cli/context/version.h"
#include "cli/run_cli.h"
#include "data/fit_inputs.h"
#include "reduce/judge/command_for.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;

// Tools that can't be checks, because they would start checks inside a check.
constexpr std::array<std::string_view, 2> kNoChecks = {"debug", "diagnose"};
// The tool that runs in this process: its workers do all work on the candidate, so a candidate that crashes a library
// doesn't end the reduction.
constexpr std::string_view kSafeInside = "run";

constexpr double kSecondsToAnswer = 20;  // for a wrapper that is asked for its version

// Returns the file that a shell would run for this word; empty if there is none.
fs::path find_program(const std::string& word, const Installation& installation) {
  std::error_code code;
  if (word.find('/') != std::string::npos) return fs::canonical(word, code);
  for (const fs::path& folder : installation.engines.path) {
    const fs::path found = fs::canonical(folder / word, code);
    if (!code) return found;
  }
  return {};
}

// Returns the script that starts this program if it is installed as a Python package; else an empty path.
fs::path launcher(const Installation& installation) {
  const fs::path packages = backend::package_folder(installation.libexec);
  std::error_code code;
  return packages.empty() ? fs::path() : fs::canonical(backend::prefix_of(packages) / "bin" / "assay", code);
}

// Returns whether the second word is a tool that can be a check.
bool names_tool(const std::vector<std::string>& words) {
  if (words.size() < 2 || std::ranges::find(kNoChecks, words[1]) != kNoChecks.end()) return false;
  return std::ranges::any_of(tools(), [&](const ToolRow& row) { return row.tool == words[1]; });
}

bool runs_inside(const worker::Command& command, const Installation& installation) {
  // ASSAY_MODEL is for scripts; Assay's tools get the model as an argument.
  const auto names_model = [](const auto& variable) { return variable.first == reduce::kModelVariable; };
  if (!std::ranges::all_of(command.environment, names_model) || !command.folder.empty()) return false;
  return is_this_program(command.argv, installation);
}

// Asks each program once whether it is a wrapper. Thread-safe.
class KnownWrappers {
 public:
  explicit KnownWrappers(const Installation& installation) : installation_(installation) {}
  bool contains(const std::vector<std::string>& words) {
    if (!names_tool(words)) return false;
    const std::lock_guard lock(mutex_);
    const auto [known, is_new] = known_.try_emplace(words[0], false);
    if (is_new) known->second = is_wrapper(words, installation_);
    return known->second;
  }

 private:
  const Installation& installation_;
  std::mutex mutex_;
  std::map<std::string, bool> known_;
};

// Returns the value of --data-loader-script, which may be abbreviated; empty if there is none.
std::string data_loader(const std::vector<std::string>& words) {
  constexpr std::string_view kOption = "--data-loader-script";
  constexpr std::string_view kShortest = "--data-loader-s";  // the shortest prefix that no other option has
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::size_t end = words[i].find('=');
    const std::string name = words[i].substr(0, end);
    if (!name.starts_with(kShortest) || !kOption.starts_with(name)) continue;
    if (end != std::string::npos) return words[i].substr(end + 1);
    if (i + 1 < words.size()) return words[i + 1];
  }
  return {};
}

// Returns whether the error occurred in the script that loads inputs: "data.py:load_data". Scripts that compare outputs
// may raise an exception if these differ.
bool is_in_data_loader(const base::Error& error, const std::vector<std::string>& words) {
  const std::string script = data_loader(words);
  return !script.empty() && (error.where == script || error.where.starts_with(script + ":"));
}

// Returns true if the error says nothing about an engine: the command would end with it for any model, Assay can't run
// this one, or has no data for it.
bool is_of_any_model(const base::Error& error, const std::vector<std::string>& words) {
  if (error.kind == base::ErrorKind::engine) return worker::failed_at_start(error);
  if (error.where == kUsage || error.kind == base::ErrorKind::unsupported) return true;
  if (error.where == data::kGivenInputs || is_in_data_loader(error, words)) return true;
  const bool names_option = error.where.starts_with("--");
  const bool is_argument = std::ranges::find(words, error.where) != words.end();
  if (error.kind == base::ErrorKind::invalid_input) return names_option;
  return error.kind == base::ErrorKind::not_found && (names_option || is_argument);
}

// Users also write options of the reduction behind --check, which takes all words to the end of the line.
std::string describe(const base::Error& error) {
  if (error.where != kUsage) return error.message();
  return error.what + " (in the words of --check). Put options that aren't the check's before --check";
}

// Returns the line of a process's output that says that it has no data for the model; empty if there is none.
std::string line_on_missing_data(const std::string& output, const std::vector<std::string>& words) {
  const std::string script = data_loader(words);
  for (const std::string& line : base::split(output, '\n')) {
    const bool lacks_data = line.find(fmt::format("(in {})", data::kGivenInputs)) != std::string::npos;
    const bool fails_to_load = !script.empty() && line.find("(in " + script) != std::string::npos;
    if (lacks_data || fails_to_load) return std::string(base::trim(line));
  }
  return {};
}

// Runs `assay run` as a process. Its exit status tells that an engine refused the model, but not which one.
base::Expected<reduce::CheckRun> run_as_process(worker::Command command, const worker::Limits& limits,
                                                const base::Stop& stop) {
  constexpr std::string_view kOption = "--refused-code";
  const bool is_given =
      std::ranges::any_of(command.argv, [&](const std::string& word) { return word.starts_with(kOption); });
  if (!is_given) {
    command.argv.emplace_back(kOption);
    command.argv.push_back(std::to_string(reduce::kUnresolvedCode));
  }
  ASSAY_ASSIGN(worker::Outcome<worker::Exited> outcome, worker::run(command, limits, stop));
  const bool refused = !is_given && outcome && outcome->code == reduce::kUnresolvedCode;
  if (refused) outcome->code = kExitFailed;
  const bool usage = outcome && outcome->code == kExitUsage;
  std::string unusable = usage ? std::string(base::trim(outcome->output)) : "";
  if (outcome && outcome->code == kExitFailed) unusable = line_on_missing_data(outcome->output, command.argv);
  return reduce::CheckRun{
      .outcome = std::move(outcome), .refused = refused ? "an engine" : "", .unusable = std::move(unusable)};
}

}  // namespace

bool is_this_program(const std::vector<std::string>& words, const Installation& installation) {
  if (!names_tool(words)) return false;
  const fs::path program = find_program(words[0], installation);
  if (program == installation.executable || (!program.empty() && program == launcher(installation))) return true;
  return program.empty() && (words[0] == "assay" || words[0] == "polygraphy");
}

bool is_wrapper(const std::vector<std::string>& words, const Installation& installation) {
  if (!names_tool(words) || fs::path(words[0]).filename() != "assay" || is_this_program(words, installation)) {
    return false;
  }
  const worker::Command command{.argv = {words[0], "--version"},
                                .environment = {},
                                .folder = {},
                                .open_files = installation.open_files,
                                .guard = installation.libexec / "assay-guard"};
  const base::Stop stop;
  const auto outcome = worker::run(command, {.time_s = kSecondsToAnswer, .memory_bytes = {}}, stop);
  return outcome && *outcome && (*outcome)->code == 0 &&
         ("\n" + (*outcome)->output).find("\n" + program_version() + "\n") != std::string::npos;
}

bool is_own_command(const std::vector<std::string>& words, const Installation& installation) {
  return is_this_program(words, installation) || is_wrapper(words, installation);
}

reduce::CommandRunner check_runner(const Installation& installation, worker::Pool& pool) {
  return [&installation, &pool, process = reduce::process_runner(),
          wrappers = std::make_shared<KnownWrappers>(installation)](
             const worker::Command& command, const worker::Limits& limits,
             const base::Stop& stop) -> base::Expected<reduce::CheckRun> {
    worker::Command as_process = command;
    as_process.open_files = installation.open_files;
    as_process.guard = installation.libexec / "assay-guard";
    if (!runs_inside(command, installation)) {
      const bool runs_engines = wrappers->contains(command.argv) && command.argv[1] == kSafeInside;
      return runs_engines ? run_as_process(std::move(as_process), limits, stop) : process(as_process, limits, stop);
    }
    if (limits.time_s || limits.memory_bytes || command.argv[1] != kSafeInside) {
      as_process.argv[0] = installation.executable.string();
      return command.argv[1] == kSafeInside ? run_as_process(std::move(as_process), limits, stop)
                                            : process(as_process, limits, stop);
    }
    std::ostringstream output;
    std::optional<base::Error> error;
    const Streams streams{.out = output, .err = output, .error = &error, .in_check = true};
    worker::Pool stoppable(pool, stop);
    const int status = run_cli({command.argv.begin() + 1, command.argv.end()}, streams, installation, stoppable, stop);
    if (stop.requested()) return reduce::CheckRun{.outcome = tl::unexpected<worker::Failure>(worker::Stopped{})};
    const bool refused = error && error->kind == base::ErrorKind::engine;
    return reduce::CheckRun{.outcome = worker::Exited{status, std::move(output).str()},
                            .refused = refused ? error->where : std::string(),
                            .unusable = error && is_of_any_model(*error, command.argv) ? describe(*error) : ""};
  };
}

}  // namespace assay::cli
