// Finds check commands that don't look at the candidates, such as one that names the file of the whole model.
#pragma once

#include "base/error.h"
#include "base/log.h"
#include "cli/context/installation.h"
#include "reduce/judge/check_command.h"

namespace assay::cli {

// Returns an error if the check is one of Assay's own commands and names no candidate. Any other command may find the
// candidate by itself, so the log gets a warning if that isn't likely.
base::Status verify_sees_candidates(const reduce::CheckSetup& check, const Installation& installation, base::Log& log);

}  // namespace assay::cli
