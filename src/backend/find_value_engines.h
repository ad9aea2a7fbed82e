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

// Lets engines of the same kind load the files that `like` loads, such as libraries of custom operators, without which
// they refuse the model.
void load_files_of(const worker::EngineSpec& like, std::vector<worker::EngineSpec>& engines);

}  // namespace assay::backend
