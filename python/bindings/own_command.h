// The command line of this package, for calls that run it or judge by it.
#pragma once

#include <string>
#include <vector>

#include "bindings/interruptible.h"
#include "cli/context/installation.h"
#include "run/engine_runner.h"

namespace assay::python {

// The caller must hold the GIL.
cli::Installation own_installation(const Interruptible& call);

// Returns the engines of a command `assay run ...`; none if it is another command.
std::vector<run::EngineSetup> engines_of_command(const std::vector<std::string>& words,
                                                 const cli::Installation& installation, Interruptible& call);

}  // namespace assay::python
