// Runs the check command and judges how it ended.
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
  // If the check is one of our own commands that run engines: the engine that rejected the model or crashed on it.
  // Otherwise, or if none did, empty.
  std::string refused{};
  // If the check is one of our own commands and didn't come to the model: why. An option is wrong, a file is missing,
  // or an engine doesn't start. If that is so for the whole model, too, the check can't judge any model.
  std::string unusable{};
};

// Runs a command until it ends or the stop is requested. A caller can supply a runner that executes some commands
// without a process, as long as the outcome is the same. May be called from several threads at once.
using CommandRunner =
    std::function<base::Expected<CheckRun>(const worker::Command&, const worker::Limits&, const base::Stop&)>;

// Returns a runner that always starts a process.
CommandRunner process_runner();

struct CheckSetup {
  std::vector<std::string> command;
  std::filesystem::path artifact{};  // the file that the command names, if it names one
  std::filesystem::path whole{};     // the file of the whole model; may be empty
  bool whole_fails = true;           // false if the searched model is a changed copy, so that the file itself may pass
  // Returns whether no run of this check has judged anything; asked after the first check. If the check then fails in a
  // way that says that it can't run at all (unable_check.h), and no rule says which failures count, that is an error.
  // Empty: some run has.
  std::function<bool()> is_first{};
  worker::Limits limits;
  FailRules rules;
  enum class Show { failures, always, never } show_output = Show::failures;
};

class CheckCommand {
 public:
  // Errors: those of OutcomeRules::make. `log` must outlive this object.
  static base::Expected<CheckCommand> make(CheckSetup setup, CommandRunner runner, base::Log& log);
  // Judges the model in a file, whose path the command receives (command_for.h); if the path is empty, the command runs
  // as it is. Texts in the verdict call the file by the artifact's name. A model that an engine rejects can't be
  // judged, unless the same engine rejects the whole model, too, or that isn't known to fail: then that is the failure.
  // To find out, the command is run on the whole model, at most once. Thread-safe. Errors: not_found if the command
  // doesn't exist, invalid_input if it can't judge any model or can't run at all, interrupted.
  [[nodiscard]] base::Expected<Verdict> run(const std::filesystem::path& model, const base::Stop& stop) const;

 private:
  struct OnWhole;
  struct Memory;
  CheckCommand(CheckSetup setup, OutcomeRules judge, CommandRunner runner, base::Log& log);
  [[nodiscard]] base::Expected<OnWhole> on_whole(const base::Stop& stop) const;
  [[nodiscard]] bool is_first_run() const;  // no run has ended
  [[nodiscard]] base::Status check_first(const Verdict& verdict, const worker::Outcome<worker::Exited>& outcome) const;
  void show(const Verdict& verdict, const worker::Outcome<worker::Exited>& outcome) const;

  CheckSetup setup_;
  OutcomeRules judge_;
  CommandRunner runner_;
  base::Log* log_;
  std::shared_ptr<Memory> memory_;
};

}  // namespace assay::reduce
