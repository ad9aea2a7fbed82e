#include "cli/checks/sees_candidates.h"

#include "cli/checks/own_command.h"
#include "reduce/judge/command_for.h"

namespace assay::cli {

base::Status verify_sees_candidates(const reduce::CheckSetup& check, const Installation& installation, base::Log& log) {
  if (is_own_command(check.command, installation) &&
      !reduce::command_for_whole(check.command, check.artifact, check.whole)) {
    return base::fail(base::ErrorKind::invalid_input, "the check doesn't run the candidates", "--check",
                      "Name their file, " + check.artifact.string() + ", in it instead of another model");
  }
  if (const auto why = reduce::why_blind(check.command, check.artifact, check.whole, installation.engines.path)) {
    log.warning("{}", *why);
  }
  return {};
}

}  // namespace assay::cli
