// Finds out whether an engine returns values in the wrong order or layout whatever the nodes of a model are: it gets a
// model of Identity nodes alone.
#pragma once

#include "base/error.h"
#include "compare/compare_outputs.h"
#include "model/model.h"
#include "run/engine_runner.h"
#include "tensor/tensor.h"

namespace assay::locate {

// Feeds `outputs`, the values of the outputs of `model`, to a model of one Identity node for each, in which outputs and
// nodes have the order that they have in `model`. Returns true if the engine returns other values than it was given,
// false if it fails. Errors: interrupted; those of saving a model.
base::Expected<bool> misplaces_outputs(const run::EngineSetup& engine, const model::Model& model,
                                       const tensor::NamedTensors& outputs, const compare::ComparePlan& plan,
                                       worker::Pool& pool);

}  // namespace assay::locate
