// Fills emptied weights with made-up values, so that an engine can be built and timed without the real ones.
#pragma once

#include "base/error.h"
#include "base/log.h"
#include "base/stop.h"
#include "model/model.h"

namespace assay::surgeon {

// Gives each stripped weight of the graph (strip_weights.h) pseudo-random values with mean 0 and variance 1, nearly
// normally distributed and the same in every run. Weights marked as sparse become 2:4 sparse; with a warning, they stay
// dense if no node sums over them. The marks stay, because the values aren't real. Returns the number of weights.
// Errors: unsupported for weights whose type isn't a number; those of model::WeightSpill; interrupted.
base::Expected<int> reconstruct_weights(model::Model& model, base::Log& log, const base::Stop& stop);

}  // namespace assay::surgeon
