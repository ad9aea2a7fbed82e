// Optimisation profiles of TensorRT that fit the inputs which the user loads.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/error.h"
#include "run/engine_runner.h"
#include "tensor/tensor.h"
#include "tensor/tensor_spec.h"

namespace assay::run {

// Returns the first inputs that the user loads, or nothing if there are none.
using LoadFirstInputs = std::function<base::Expected<std::optional<tensor::NamedTensors>>()>;

// Tells TensorRT's runners the shapes that the model's inputs with dynamic dimensions have in the first iteration of
// loaded inputs, and the values of inputs that may contain a shape, for profiles that don't mention these inputs.
// Replaces those of --input-shapes, which have no effect on loaded inputs. Calls `load` at most once, and only if a
// runner builds an engine for a model with such inputs. Does nothing if the inputs don't fit the model: the run reports
// that. Errors: those of `load`.
base::Status fit_profiles(std::vector<EngineSetup>& engines, std::span<const tensor::TensorSpec> model_inputs,
                          const LoadFirstInputs& load);

}  // namespace assay::run
