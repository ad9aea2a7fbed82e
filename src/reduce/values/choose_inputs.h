// Finds sizes and values of the inputs with which an engine can run the model.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "reduce/values/engine_parts.h"

namespace assay::reduce {

struct ChosenInputs {
  std::size_t choice = 0;
  // Values that the search computed with these inputs.
  tensor::NamedTensors values;
};

struct InputSearch {
  const EngineParts& parts;
  const worker::EngineSpec& engine;
  std::size_t choices;
  // Returns the inputs of a choice, or null if they can't be created. For each part of the model that is tried, choices
  // are requested in rising order.
  std::function<const tensor::NamedTensors*(std::size_t)> inputs;
  // Returns whether to keep the first choice, with which the engine can't run this part, of these nodes, for these
  // tensors. Called at most once. May be empty.
  std::function<bool(const std::vector<edit::NodeId>&, const std::vector<edit::TensorId>&, const tensor::NamedTensors&)>
      keeps_first{};
};

// Each goal is a list of tensors that an engine has to compute, the best goal first. Returns the first choice that
// reaches the best goal that any choice reaches. If none reaches any, returns the choice with which the engine gets
// farthest towards the last goal. InputSearch::keeps_first can decide for the first choice before others are tried.
// `now`: tensors whose values the caller wants at once. If the first choice reaches the first goal, both take one run
// together.
ChosenInputs choose_inputs(const InputSearch& search, const std::vector<std::vector<edit::TensorId>>& goals,
                           const std::vector<edit::TensorId>& now);

struct FailingNode {
  std::size_t number;       // in the list of nodes
  worker::Failure failure;  // on the nodes up to this one
};
// Returns the first of `nodes` (in the order of EngineParts) up to which the engine fails with these inputs, given that
// it fails with all of them, with this failure, and runs the first `good` of them.
FailingNode find_failing_node(const EngineParts& parts, const worker::EngineSpec& engine,
                              const std::vector<edit::NodeId>& nodes, std::size_t good,
                              const EngineParts::Values& known, const tensor::NamedTensors& inputs,
                              worker::Failure failure);

}  // namespace assay::reduce
