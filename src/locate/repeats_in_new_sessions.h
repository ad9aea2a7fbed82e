// Tells models whose random numbers have seeds from other random ones.
#pragma once

#include "model/model.h"

namespace assay::locate {

// Returns whether the model draws random numbers, and the same ones in each new session: a generator with a seed
// continues from run to run.
bool repeats_in_new_sessions(const model::Model& model);

}  // namespace assay::locate
