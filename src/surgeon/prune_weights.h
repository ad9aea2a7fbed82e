// Makes weights 2:4 sparse, to see how fast a model would be with sparse weights. Its results become wrong.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "base/stop.h"
#include "model/model.h"

namespace assay::surgeon {

// Prunes every weight that find_sparse_groups() finds (sparse_groups.h). Returns their names, in the order of the
// file. Errors: those of model::read_weight and model::WeightSpill; interrupted.
base::Expected<std::vector<std::string>> prune_weights(model::Model& model, const base::Stop& stop);

}  // namespace assay::surgeon
