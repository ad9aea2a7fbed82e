// Running the check command, and saying how it went.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/log.h"
#include "base/stop.h"
#include "reduce/judge/judge_outcome.h"
#include "worker/limits.h"
#include "worker/process.h"

namespace assay::reduce {

struct CheckRun {
  worker::Outcome<worker::Exited> outcome;
  // The engine that refused the model or broke down on it, if the check is a command of ours that runs engines; empty
  // if none did, and for all other commands.
  std::string refused{};
};

// Runs a command to its end, or to a stop. A caller may put in something that runs some commands without a process, as
// long as the outcome is the same. May be called from several threads at once.
using CommandRunner =
    std::function<base::Expected<CheckRun>(const worker::Command&, const worker::Limits&, const base::Stop&)>;

// Always a process.
CommandRunner process_runner();

struct CheckOptions {
  std::vector<std::string> command;
  std::filesystem::path artifact{};  // the file that the command names, where it names one
  std::filesystem::path whole{};     // the file of the whole model, which fails; empty: there is none
  worker::Limits limits;
  FailRules rules;
  enum class Show { failures, always, never } show_output = Show::failures;
};

class CheckCommand {
 public:
  // Errors: those of Judge::make. `log` must outlive this object.
  static base::Expected<CheckCommand> make(CheckOptions options, CommandRunner runner, base::Log& log);
  // Judges the model in a file, which the command is told of (command_for.h); an empty path: there is none, and the
  // command runs as it is given. In the verdict the file is called by the artifact's name. A model that an engine
  // refuses can't be judged, unless this engine refuses the whole model, too: then that is the failure. To know it, the
  // command is run on the whole model, once at most. Thread-safe.
  // Errors: not_found where the command does not exist, interrupted.
  [[nodiscard]] base::Expected<Verdict> run(const std::filesystem::path& model, const base::Stop& stop) const;

 private:
  struct Memory;
  CheckCommand(CheckOptions options, Judge judge, CommandRunner runner, base::Log& log);
  // The engine that refuses the whole model; empty if none does. Absent: that can't be found out.
  [[nodiscard]] base::Expected<std::optional<std::string>> refuses_whole(const base::Stop& stop) const;
  void show(const Verdict& verdict, const worker::Outcome<worker::Exited>& outcome) const;

  CheckOptions options_;
  Judge judge_;
  CommandRunner runner_;
  base::Log* log_;
  std::shared_ptr<Memory> memory_;
};

}  // namespace assay::reduce
