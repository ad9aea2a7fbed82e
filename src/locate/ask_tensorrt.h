// Adds to an answer what TensorRT's engines make of the nodes that it names: the layers that they are fused into, and
// those that have to stay in float32.
#pragma once

#include <vector>

#include "base/error.h"
#include "compare/compare_outputs.h"
#include "locate/location.h"
#include "locate/sides/skeleton.h"
#include "model/model.h"
#include "run/engine_runner.h"
#include "tensor/tensor.h"
#include "worker/engine.h"

namespace assay::locate {

// A side that an engine runs, and the unmarked model's outputs on the other side.
struct AskedSide {
  const run::EngineSetup& engine;
  const model::Model& model;
  const tensor::NamedTensors& feeds;
  const tensor::NamedTensors& others;
};

// Builds the engines of sides that TensorRT runs once or twice more, which doesn't count as runs of the search. What
// TensorRT doesn't tell becomes a note. `model`: the one whose nodes the answer names. Errors: interrupted.
base::Status ask_tensorrt(const std::vector<AskedSide>& sides, const model::Model& model, const Skeleton& skeleton,
                          const compare::ComparePlan& plan, worker::Pool& pool, Location& location);

}  // namespace assay::locate
