#include "cli/options/judge_iteration.h"

#include <iostream>
#include <memory>
#include <utility>

#include "cli/check_runner.h"
#include "reduce/ask_person.h"
#include "reduce/check_command.h"

namespace assay::cli {

base::Expected<reduce::FileJudge> judge_iteration(const CheckOptions& options, Context& context, std::string subject,
                                                  const std::filesystem::path& artifact) {
  if (!options.has_command()) {
    return [&context, subject = std::move(subject)] { return reduce::ask_person(subject, std::cin, context.out); };
  }
  ASSAY_ASSIGN(reduce::CheckOptions check, options.check_options());
  check.artifact = artifact;
  ASSAY_ASSIGN(
      reduce::CheckCommand command,
      reduce::CheckCommand::make(std::move(check), check_runner(context.installation, context.pool), context.log));
  auto shared = std::make_shared<const reduce::CheckCommand>(std::move(command));
  return [shared, artifact, &stop = context.stop] { return shared->run(artifact, stop); };
}

}  // namespace assay::cli
