// `debug reduce --mode minimal`: from its options to the reducer and to what the user reads at the end.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "base/error.h"
#include "cli/command.h"
#include "cli/options/check_options.h"
#include "cli/options/iteration_options.h"
#include "cli/options/minimal_options.h"
#include "cli/options/slot_options.h"
#include "reduce/minimal.h"

namespace assay::cli {

struct ReduceMinimalOptions {
  const CheckOptions& check;
  const IterationOptions& iterations;
  const SlotOptions& slots;
  const MinimalOptions& minimal;
  std::filesystem::path output;  // where the result goes; its neighbours hold the journal and other failures
  bool infer_shapes = true;
  bool see_all_shapes = false;
  tensor::NamedTensors values;  // of tensors of the model, that the user gave; may be empty
  std::function<std::unique_ptr<reduce::Reference>(const edit::Subject&, const edit::TensorFacts&)> reference;
};

// Reduces, and saves the models of other failures that were met. Errors: those of reduce_to_minimum and of the journal.
base::Expected<reduce::MinimalReduction> reduce_minimal(const model::Model& model, const ReduceMinimalOptions& options,
                                                        Context& context);

// What was removed, by which pass, in how many checks, and how sure it is.
void report_minimal(const reduce::MinimalReduction& reduction, Context& context);

}  // namespace assay::cli
