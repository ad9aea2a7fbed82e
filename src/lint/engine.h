// The engine that judges the nodes.
#pragma once

#include <functional>
#include <span>

#include "base/error.h"
#include "tensor/tensor.h"
#include "tensor/tensor_spec.h"
#include "worker/engine.h"

namespace assay::lint {

struct Engine {
  worker::Pool& pool;
  worker::EngineSpec spec;
  worker::Limits limits;  // for each load and each run
  // Returns values for the model's inputs.
  std::function<base::Expected<tensor::NamedTensors>(std::span<const tensor::TensorSpec> ports)> make_inputs;
};

}  // namespace assay::lint
