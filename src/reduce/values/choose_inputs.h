// Finds sizes and values of the inputs with which an engine runs the model.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "reduce/values/engine_parts.h"

namespace assay::reduce {

struct ChosenInputs {
  std::size_t choice = 0;
  // What was computed on the way, with these inputs.
  tensor::NamedTensors values;
};

struct InputSearch {
  const EngineParts& parts;
  const worker::EngineSpec& engine;
  std::size_t choices;
  // The inputs of a choice; null if they can't be made. Asked once for each choice that is tried, in rising order
  // while one part of the model is looked at.
  std::function<const tensor::NamedTensors*(std::size_t)> inputs;
};

// Each goal is a list of tensors. The result is the first choice with which the first goal is reached by any; with
// which the engine gets farthest toward the last one if none is reached. `now`: tensors whose values are wanted at
// once. If the first choice gives them and the first goal together, this costs one run.
ChosenInputs choose_inputs(const InputSearch& search, const std::vector<std::vector<edit::TensorId>>& goals,
                           const std::vector<edit::TensorId>& now);

// The first of `nodes` (in the order of EngineParts) up to which the engine fails with these inputs, given that it
// fails with all of them and runs the first `good` of them. `failure` is what the engine said, of the whole at first.
std::size_t find_failing_node(const EngineParts& parts, const worker::EngineSpec& engine,
                              const std::vector<edit::NodeId>& nodes, std::size_t good,
                              const EngineParts::Values& known, const tensor::NamedTensors& inputs,
                              worker::Failure& failure);

}  // namespace assay::reduce
