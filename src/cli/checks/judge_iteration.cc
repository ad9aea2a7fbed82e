#include "cli/checks/judge_iteration.h"

#include <unistd.h>

#include <memory>
#include <utility>

#include "cli/checks/check_runner.h"
#include "reduce/judge/ask_person.h"
#include "reduce/judge/check_command.h"

namespace assay::cli {

base::Expected<reduce::FileJudge> judge_iteration(const CheckOptions& options, Context& context, std::string subject,
                                                  Environment environment) {
  if (!options.has_command()) {
    auto person = std::make_shared<reduce::Person>(STDIN_FILENO, context.out);
    return [person, subject = std::move(subject), &stop = context.stop] { return person->ask(subject, stop); };
  }
  ASSAY_ASSIGN(reduce::CheckSetup check, options.setup());
  reduce::CommandRunner runner = check_runner(context.installation, context.pool);
  if (!environment.empty()) {
    runner = [runner, environment = std::move(environment)](worker::Command command, const worker::Limits& limits,
                                                            const base::Stop& stop) {
      command.environment.insert(command.environment.end(), environment.begin(), environment.end());
      return runner(command, limits, stop);
    };
  }
  ASSAY_ASSIGN(reduce::CheckCommand command,
               reduce::CheckCommand::make(std::move(check), std::move(runner), context.log));
  auto shared = std::make_shared<const reduce::CheckCommand>(std::move(command));
  return [shared, &stop = context.stop] { return shared->run({}, stop); };
}

}  // namespace assay::cli
