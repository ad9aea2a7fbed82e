// Running the check command, and saying how it went.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/log.h"
#include "base/stop.h"
#include "reduce/judge_outcome.h"
#include "worker/limits.h"
#include "worker/process.h"

namespace assay::reduce {

// Runs a command to its end. A caller may put in something that runs some commands without a process, as long as the
// outcome is the same.
using CommandRunner =
    std::function<base::Expected<worker::Outcome<worker::Exited>>(const worker::Command&, const worker::Limits&)>;

// Always a process. `stop` must outlive it.
CommandRunner process_runner(const base::Stop& stop);

struct CheckOptions {
  std::vector<std::string> command;
  worker::Limits limits;
  FailRules rules;
  enum class Show { failures, always, never } show_output = Show::failures;
};

class CheckCommand {
 public:
  // Errors: those of Judge::make. `log` must outlive this object.
  static base::Expected<CheckCommand> make(CheckOptions options, CommandRunner runner, base::Log& log);
  // Errors: not_found where the command does not exist, interrupted.
  base::Expected<Verdict> run();

 private:
  CheckCommand(CheckOptions options, Judge judge, CommandRunner runner, base::Log& log);
  void show(const Verdict& verdict, const worker::Outcome<worker::Exited>& outcome);

  CheckOptions options_;
  Judge judge_;
  CommandRunner runner_;
  base::Log* log_;
};

}  // namespace assay::reduce
