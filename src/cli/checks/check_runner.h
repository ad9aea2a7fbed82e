// Runs checks of the form `assay run ...` inside this process.
//
// `--check assay run polygraphy_debug.onnx --onnxrt` would start this program, and an engine worker, for every check.
// Inside this process, a check finds its worker warm. Output and exit status are the same: the engine is in its own
// process either way.
#pragma once

#include "cli/context/installation.h"
#include "reduce/judge/check_command.h"
#include "worker/engine.h"

namespace assay::cli {

// Returns a runner that runs `assay run ...` in this process and every other command as a process. Assay's other tools
// work on the candidate themselves and may crash on it, so they get a process, too. So does `assay run` with limits on
// time or memory, which can only be imposed on a process. All arguments must outlive the result.
reduce::CommandRunner check_runner(const Installation& installation, worker::Pool& pool);

// Returns a runner that runs every command as a process. `installation` must outlive the result.
reduce::CommandRunner check_process_runner(const Installation& installation);

}  // namespace assay::cli
