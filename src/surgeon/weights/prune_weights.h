// Makes weights 2:4 sparse, to see how fast a model would be with sparse weights. Its results become wrong.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "base/stop.h"
#include "model/model.h"

namespace assay::surgeon {

struct PrunedWeights {
  std::vector<std::string> pruned;         // in the order of the file
  std::vector<std::string> stored_sparse;  // sparse initializers that such nodes multiply, which stay
};

// Prunes every weight that find_sparse_groups() finds (sparse_groups.h). Errors: those of model::read_weight and
// model::WeightSpill; interrupted.
base::Expected<PrunedWeights> prune_weights(model::Model& model, const base::Stop& stop);

}  // namespace assay::surgeon
