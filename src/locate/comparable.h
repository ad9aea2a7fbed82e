// What can be compared of a model with the other side.
#pragma once

#include "base/error.h"
#include "locate/golden.h"
#include "locate/skeleton.h"
#include "model/model.h"
#include "tensor/tensor.h"

namespace assay::locate {

// Every result of the model; those that another model makes too; those that are among saved results.
base::Expected<Skeleton> all_comparable(const model::Model& model);
base::Expected<Skeleton> comparable_with(const model::Model& model, const model::Model& other);
base::Expected<Skeleton> comparable_with(const model::Model& model, const Golden& golden);

// Fills in how many bytes the results of each cell take for these inputs, `sides` times; a guess where inference does
// not tell.
void estimate_bytes(Skeleton& skeleton, const model::Model& model, const tensor::NamedTensors& feeds, int sides);

}  // namespace assay::locate
