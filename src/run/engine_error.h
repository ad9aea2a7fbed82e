// Describes how an engine ended, and what it was doing.
#pragma once

#include <string>

#include "base/error.h"
#include "worker/outcome.h"

namespace assay::run {

// Returns worker::to_error(), with the phase of the call if the engine was killed: it can't say then what it was doing.
base::Error engine_error(const worker::Failure& failure, const std::string& engine, worker::Phase phase);

}  // namespace assay::run
