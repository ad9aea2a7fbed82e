// The input of `locate`: a model, and the two sides that have values of its tensors.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "data/input_source.h"
#include "data/results_reader.h"
#include "model/model.h"
#include "run/engine_runner.h"
#include "tensor/float16_values.h"
#include "tensor/tensor.h"
#include "tensor/tensor_spec.h"

namespace assay::locate {

struct LocateInput {
  const model::Model& model;
  const model::Model* against = nullptr;  // the model of the second side
  // The model in float16, with tensors of the same names. The first side runs it; the second runs `model` and is
  // assumed to be right. Excludes `against` and golden results.
  const model::Model* float16 = nullptr;
  std::vector<run::EngineSetup> engines;        // two; one with golden results or float16; one or two with `against`
  std::shared_ptr<data::ResultsReader> golden;  // the results of its first runner; may be null
  data::InputsByIteration inputs;
  // Weights of `float16` with values that don't fit, by name.
  std::map<std::string, tensor::Float16Changes> weights_beyond_float16 = {};

  // Returns true if values of weights were limited to float16's range.
  [[nodiscard]] bool has_limited_weights() const {
    return std::ranges::any_of(weights_beyond_float16, [](const auto& item) { return item.second.too_large > 0; });
  }
};

}  // namespace assay::locate
