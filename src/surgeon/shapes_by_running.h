// Types and shapes of tensors, seen in an engine.
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
#include "surgeon/engine.h"
#include "tensor/tensor.h"
#include "tensor/tensor_spec.h"

namespace assay::surgeon {

// Inputs for a run of the model that takes these.
using MakeFeeds = std::function<base::Expected<tensor::NamedTensors>(std::span<const tensor::TensorSpec> ports)>;

// Runs the model once and tells type and shape of these tensors of its graph (inputs, or made by nodes), static because
// true of this run. A tensor that is no tensor (a sequence, say) is left out. Errors: kind engine where the engine
// cannot run the model; those of `feeds`.
base::Expected<std::map<std::string, model::TensorInfo>> shapes_by_running(const model::Model& model,
                                                                           const std::vector<std::string>& tensors,
                                                                           const MakeFeeds& feeds, const Engine& engine,
                                                                           base::Log& log);

}  // namespace assay::surgeon
