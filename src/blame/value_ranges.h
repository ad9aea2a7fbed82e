// Finds the nodes whose values exceed float16's range.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "blame/precision_candidate.h"
#include "model/model.h"
#include "run/engine_runner.h"
#include "tensor/tensor.h"
#include "worker/engine.h"

namespace assay::blame {

// Returns the largest absolute value of each float32 tensor that a node of the model's graph computes, by its name, for
// these inputs. Runs the model once, with a ReduceMax for each tensor, so that no tensor has to be returned. Tensors
// inside of bodies aren't among them. Errors: engine if the engine fails; those of data::fit_inputs().
base::Expected<std::map<std::string, double>> largest_values(const model::Model& model, const run::EngineSetup& engine,
                                                             const tensor::NamedTensors& inputs, worker::Pool& pool,
                                                             base::Log& log);

// Returns the positions in `nodes` of those of the model's graph that read or compute a tensor whose largest value
// float16 rounds to infinity, or that read one of `weights`.
std::vector<int> suspects(const std::vector<PrecisionCandidate>& nodes, const std::map<std::string, double>& largest,
                          const std::set<std::string>& weights);

}  // namespace assay::blame
