// Finds out whether an engine returns values in the wrong order or layout whatever the nodes of a model are: it gets a
// model of Identity nodes alone.
#pragma once

#include "base/error.h"
#include "compare/compare_outputs.h"
#include "model/model.h"
#include "run/engine_runner.h"
#include "tensor/tensor.h"

namespace assay::locate {

// Returns true if the engine returns other values than it is given by a model whose outputs, `outputs` in the order of
// `model`, are computed by Identity nodes in the order of the nodes that compute them there. Returns false if the
// engine fails. Errors: interrupted; those of saving a model.
base::Expected<bool> misplaces_outputs(const run::EngineSetup& engine, const model::Model& model,
                                       const tensor::NamedTensors& outputs, const compare::ComparePlan& plan,
                                       worker::Pool& pool);

}  // namespace assay::locate
