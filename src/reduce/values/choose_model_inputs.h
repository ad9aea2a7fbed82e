// Chooses the inputs of the whole model with which a reference computes values.
//
// Sizes that neither the model nor the user fixes are the first of input_choices with which an engine runs the whole
// model or, if there is none, computes all settings in it (holds_settings). If the inputs are known that the check
// generates, these are tried first. If the engine and the check fail while running with them, the failure may depend on
// their sizes, so these are kept: values up to the failing node are enough.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "edit/subject.h"
#include "edit/tensor_facts.h"
#include "reduce/values/engine_parts.h"
#include "reduce/values/reference_inputs.h"
#include "tensor/tensor.h"
#include "worker/engine.h"

namespace assay::reduce {

// Returns the user's values for these shapes of inputs, see EngineReference::Options::given.
using GivenInputs = std::function<base::Expected<tensor::NamedTensors>(const InputShapes&)>;

struct RunOfCheck {
  std::vector<worker::EngineSpec> engines;  // that run the model
  std::function<base::Expected<tensor::NamedTensors>()> inputs;
};

struct ModelInputsTask {
  const edit::Subject& subject;
  const edit::TensorFacts& facts;
  const EngineParts& parts;
  const std::vector<worker::EngineSpec>& engines;  // in order of preference
  const GivenInputs& given;
  const InputShapes& asked;         // by the user
  bool same_for_all_sizes = false;  // `given` ignores the sizes
  const std::optional<RunOfCheck>& check;
  base::Log* log = nullptr;  // reports which sizes were chosen; may be null
};

struct ModelInputs {
  base::Expected<tensor::NamedTensors> inputs;
  std::size_t unusable_engines = 0;  // the number of engines at the front that don't accept the model at all
  bool engine_is_usable = false;     // the engine after them is known to accept it
  tensor::NamedTensors values{};     // that the search has computed: settings, and tensors of `now`
};

// `now`: tensors whose values the caller wants at once. They can save a run, but don't influence the choice.
ModelInputs choose_model_inputs(const ModelInputsTask& task, const std::vector<edit::TensorId>& now);

}  // namespace assay::reduce
