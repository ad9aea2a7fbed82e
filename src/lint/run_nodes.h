// Finds out which nodes the engine accepts.
#pragma once

#include <map>
#include <string>

#include "base/error.h"
#include "base/log.h"
#include "lint/engine.h"
#include "lint/report.h"
#include "model/model.h"
#include "model/shapes.h"

namespace assay::lint {

// Runs the whole model first: if that succeeds, all nodes pass. Otherwise runs parts of it, and halves those that fail
// until single nodes fail. A node that reads what a failing node computes is only loaded, since it has no values to run
// with; its inputs have the types in `infos`. Sets the engine's verdicts, and adds a finding for each failing node, or
// one for the model if it fails but none of its nodes does. Crashes, hangs and too much memory are findings, not
// errors. Errors: kind engine if it can't be started; interrupted; those of Engine::make_inputs.
base::Status run_nodes(const model::Model& model, const std::map<std::string, model::TensorInfo>& infos,
                       const Engine& engine, base::Log& log, Report& report);

}  // namespace assay::lint
