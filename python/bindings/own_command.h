// The command line of this package, for calls that run it or judge by it.
#pragma once

#include "bindings/interruptible.h"
#include "cli/context/installation.h"

namespace assay::python {

// The caller must hold the GIL.
cli::Installation own_installation(const Interruptible& call);

}  // namespace assay::python
