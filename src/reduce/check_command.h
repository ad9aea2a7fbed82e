// Running the check command, and saying how it went.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/log.h"
#include "base/stop.h"
#include "reduce/judge_outcome.h"
#include "worker/limits.h"
#include "worker/process.h"

namespace assay::reduce {

// Runs a command to its end, or to a stop. A caller may put in something that runs some commands without a process, as
// long as the outcome is the same. May be called from several threads at once.
using CommandRunner = std::function<base::Expected<worker::Outcome<worker::Exited>>(
    const worker::Command&, const worker::Limits&, const base::Stop&)>;

// Always a process.
CommandRunner process_runner();

struct CheckOptions {
  std::vector<std::string> command;
  std::filesystem::path artifact{};  // the file that the command names, where it names one
  worker::Limits limits;
  FailRules rules;
  enum class Show { failures, always, never } show_output = Show::failures;
};

class CheckCommand {
 public:
  // Errors: those of Judge::make. `log` must outlive this object.
  static base::Expected<CheckCommand> make(CheckOptions options, CommandRunner runner, base::Log& log);
  // Judges the model in a file, which the command is told of (command_for.h); an empty path: there is none, and the
  // command runs as it is given. In the verdict the file is called by the artifact's name. Thread-safe.
  // Errors: not_found where the command does not exist, interrupted.
  [[nodiscard]] base::Expected<Verdict> run(const std::filesystem::path& model, const base::Stop& stop) const;

 private:
  CheckCommand(CheckOptions options, Judge judge, CommandRunner runner, base::Log& log);
  void show(const Verdict& verdict, const worker::Outcome<worker::Exited>& outcome) const;

  CheckOptions options_;
  Judge judge_;
  CommandRunner runner_;
  base::Log* log_;
};

}  // namespace assay::reduce
