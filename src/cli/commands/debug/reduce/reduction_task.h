// The model that a reduction starts with, and what is known about the check and about values of tensors.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

#include "cli/commands/debug/reduce/check_facts.h"
#include "reduce/judge/failure_filter.h"
#include "reduce/reduce_model.h"
#include "reduce/values/missing_values.h"
#include "reduce/values/reference_inputs.h"
#include "reduce/values/value_store.h"
#include "run/saved_reference.h"
#include "tensor/tensor.h"

namespace assay::cli {

// All of it is read before the first check.
struct ReductionTask {
  reduce::Mode mode = reduce::Mode::minimal;
  CheckFacts check{};
  reduce::InputShapes asked_shapes{};  // --model-input-shapes
  // Bytes of recorded values; what exceeds them is in files in `values_folder`.
  std::uint64_t memory_budget = reduce::kValueBudget;
  std::filesystem::path values_folder{};
  reduce::SharedModel model = nullptr;
  reduce::SharedModel original = nullptr;  // the model in the file, if it was converted to float16; otherwise null
  bool is_as_in_file = true;               // the model was neither converted nor given other input shapes
  bool shapes_from_reference = false;      // an engine computes the shapes, instead of inference
  // Values of tensors. They come from the user's data loader options. If none is given, they are what the check
  // loads. Values of inputs are converted to the types and shapes that the model takes.
  tensor::NamedTensors given_values{};
  bool has_inputs = false;  // the values hold the model's inputs; otherwise these are generated
  reduce::CutValues usual_values = reduce::CutValues::automatic;  // the default of --values
  // Says which candidates the check can judge by the saved outputs with which it compares. Null if it doesn't compare
  // with any, or not by name.
  std::shared_ptr<const run::SavedReference> saved_reference = nullptr;
  std::shared_ptr<reduce::MissingValues> missing = std::make_shared<reduce::MissingValues>();
};

// Returns which candidates can't be judged by the saved outputs; nothing if there are none.
std::optional<reduce::SavedOutputsLimits> limits_of_saved_outputs(const ReductionTask& task);

}  // namespace assay::cli
