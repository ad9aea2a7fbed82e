// The sides that an input describes: their engines, and the tensors that can be compared.
#pragma once

#include <optional>
#include <vector>

#include "base/error.h"
#include "locate/golden.h"
#include "locate/locate.h"
#include "locate/skeleton.h"
#include "run/engine_runner.h"

namespace assay::locate {

// Returns the tensors that both sides have. Errors: invalid_input if no output of the model is among them.
base::Expected<Skeleton> compared_tensors(const LocateInput& input, const std::optional<Golden>& golden);

// Returns the engines, named after what they run: two, or one with golden results.
std::vector<run::EngineSetup> engines_of(const LocateInput& input);

}  // namespace assay::locate
