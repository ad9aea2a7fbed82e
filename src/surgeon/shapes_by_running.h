// Finds types and shapes of tensors by running the model.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "model/model.h"
#include "model/shapes.h"
#include "surgeon/fold/engine.h"
#include "tensor/tensor.h"
#include "tensor/tensor_spec.h"

namespace assay::surgeon {

// Returns the inputs for a run of a model with these ports.
using MakeFeeds = std::function<base::Expected<tensor::NamedTensors>(std::span<const tensor::TensorSpec> ports)>;

// Runs the model once and returns types and shapes of these tensors of its graph (inputs or node outputs). The shapes
// are static, as they hold for this run. Values that aren't tensors (sequences, for example) are left out. Errors: kind
// engine if the engine can't run the model; those of `feeds`.
base::Expected<std::map<std::string, model::TensorInfo>> shapes_by_running(const model::Model& model,
                                                                           const std::vector<std::string>& tensors,
                                                                           const MakeFeeds& feeds, const Engine& engine,
                                                                           base::Log& log);

}  // namespace assay::surgeon
