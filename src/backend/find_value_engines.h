// Chooses the engines that compute values of tensors for Assay itself, e.g. those that a reduction freezes.
#pragma once

#include <vector>

#include "backend/find_engines.h"
#include "base/log.h"
#include "worker/engine.h"

namespace assay::backend {

// Returns the engines on this machine that compute values, the best first: each computes what those before it can't.
// They run a model without optimising it. An engine that isn't found is left out, with a line in the log.
std::vector<worker::EngineSpec> find_value_engines(const EngineSearch& search, base::Log& log);

}  // namespace assay::backend
