// The command line of this package, for calls that run it or judge by it.
#pragma once

#include "cli/context/installation.h"

namespace assay::python {

// Finds engines in the environment as it is now. The caller must hold the GIL.
cli::Installation own_installation();

}  // namespace assay::python
