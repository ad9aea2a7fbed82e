// Checks that are `assay run`, run without a process of their own.
//
// `--check assay run polygraphy_debug.onnx --onnxrt` would start this very program once a check, and an engine worker
// with it. Run inside this process instead, a check finds its worker warm. Output and exit status are those that the
// process would have: the engine is in its own process either way.
#pragma once

#include <string>
#include <vector>

#include "cli/installation.h"
#include "reduce/judge/check_command.h"
#include "worker/engine.h"

namespace assay::cli {

// Runs `assay run ...` in this process, and every other command as a process; our own other tools work on the candidate
// in their own process, and may crash there. A command is ours where its program is this executable, found as a shell
// would find it, or is called "assay" and no such program is in PATH. With limits on time or memory it is a process,
// too, as only a process can be held to them. All arguments must outlive the result.
reduce::CommandRunner check_runner(const Installation& installation, worker::Pool& pool);

// Whether these words are a command that check_runner() takes for ours.
bool is_own_command(const std::vector<std::string>& words, const Installation& installation);

}  // namespace assay::cli
