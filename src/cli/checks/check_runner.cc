// A check inside this process calls run_cli() with a string stream for its output. Its pool shares the workers with all
// other checks but has a stop of its own: stopping one check kills only the worker that it uses. A check that runs as a
// process can't return an error, so it gets --refused-code, and its exit status says whether an engine refused the
// model, or whether any model would get the error (error_of_any_model.h). So does a wrapper (own_command.h): it may set
// variables for Assay, so it can't be replaced by a call in this process.
#include "cli/checks/check_runner.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>
#include <string_view>

#include "base/strings.h"
#include "cli/checks/error_of_any_model.h"
#include "cli/checks/own_command.h"
#include "cli/context/command.h"
#include "cli/run_cli.h"
#include "reduce/judge/command_for.h"
#include "worker/outcome.h"

namespace assay::cli {
namespace {

// The tool that runs in this process: its workers do all work on the candidate, so a candidate that crashes a library
// doesn't end the reduction.
constexpr std::string_view kSafeInside = "run";

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
    if (!names_check_tool(words)) return false;
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

// Users also write options of the reduction behind --check, which takes all words to the end of the line.
std::string describe_usage(const std::string& error) {
  return error + " (in the words of --check). Put options that aren't the check's before --check";
}

std::string describe(const base::Error& error) {
  return error.where == kUsage ? describe_usage(error.what) : error.message();
}

// Returns the error with which a process ended: what its log says before the last line, or the first line of a message
// about the command line itself.
std::string error_in(const std::string& output) {
  constexpr std::string_view kError = "[E] ";
  const std::string text(base::trim(output));
  const std::size_t end = text.rfind("\n[E] FAILED | Runtime: ");
  if (end == std::string::npos) {
    constexpr std::string_view kCommand = "assay run: ";
    const std::string line = text.substr(0, text.find('\n'));
    return describe_usage(line.starts_with(kCommand) ? line.substr(kCommand.size()) : line);
  }
  const std::size_t line = text.rfind("\n[E] ", end - 1);
  const std::size_t begin = line == std::string::npos ? 0 : line + 1;
  return text.substr(begin, end - begin).substr(text.compare(begin, kError.size(), kError) == 0 ? kError.size() : 0);
}

// Runs `assay run` as a process. Its exit status says that an engine refused the model, but not which one, or that it
// ended with an error of any model.
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
  reduce::CheckRun run{.outcome = std::move(outcome)};
  if (!run.outcome) return run;
  if (run.outcome->code == kExitUsage) run.unusable = error_in(run.outcome->output);
  if (is_given || run.outcome->code != reduce::kUnresolvedCode) return run;
  run.outcome->code = kExitFailed;
  const std::string error = error_in(run.outcome->output);
  const bool starts =
      !worker::failed_at_start({.kind = base::ErrorKind::engine, .what = error, .where = {}, .fix = {}});
  (starts ? run.refused : run.unusable) = starts ? "an engine" : error;
  return run;
}

}  // namespace

reduce::CommandRunner check_runner(const Installation& installation, worker::Pool& pool) {
  return [&installation, &pool, outside = check_process_runner(installation)](
             const worker::Command& command, const worker::Limits& limits,
             const base::Stop& stop) -> base::Expected<reduce::CheckRun> {
    const bool is_limited = limits.time_s || limits.memory_bytes;
    if (is_limited || !runs_inside(command, installation) || command.argv[1] != kSafeInside) {
      return outside(command, limits, stop);
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

reduce::CommandRunner check_process_runner(const Installation& installation) {
  return [&installation, process = reduce::process_runner(), wrappers = std::make_shared<KnownWrappers>(installation)](
             worker::Command command, const worker::Limits& limits,
             const base::Stop& stop) -> base::Expected<reduce::CheckRun> {
    command.open_files = installation.open_files;
    command.guard = installation.libexec / "assay-guard";
    const bool is_this = runs_inside(command, installation);
    if (is_this) command.argv[0] = installation.executable.string();
    const bool runs_engines = (is_this || wrappers->contains(command.argv)) && command.argv[1] == kSafeInside;
    return runs_engines ? run_as_process(std::move(command), limits, stop) : process(command, limits, stop);
  };
}

}  // namespace assay::cli
