// Determines which tensors of a model can be compared with the other side.
#pragma once

#include "base/error.h"
#include "locate/sides/golden.h"
#include "locate/sides/skeleton.h"
#include "model/model.h"
#include "tensor/tensor.h"

namespace assay::locate {

// Return the cells of the model: with all its results, with those that the other model has too, or with those among the
// saved results. Errors: those of make_skeleton().
base::Expected<Skeleton> all_comparable(const model::Model& model);
base::Expected<Skeleton> comparable_with(const model::Model& model, const model::Model& other);
base::Expected<Skeleton> comparable_with(const model::Model& model, const Golden& golden);

// Fills in the bytes that the results of each cell take for these inputs, times `sides`; a guess if shape inference
// doesn't know.
void estimate_bytes(Skeleton& skeleton, const model::Model& model, const tensor::NamedTensors& feeds, int sides);

}  // namespace assay::locate
