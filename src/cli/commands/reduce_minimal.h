// `debug reduce --mode minimal`: from its options to the reducer and to what the user reads at the end.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "base/error.h"
#include "cli/command.h"
#include "cli/options/check_options.h"
#include "cli/options/iteration_options.h"
#include "cli/options/minimal_options.h"
#include "cli/options/slot_options.h"
#include "reduce/judge/failure_filter.h"
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
  tensor::NamedTensors values;       // of tensors of the model, that the user gave; may be empty
  reduce::FixedInputs fixed_inputs;  // --model-input-shapes
  std::function<std::unique_ptr<reduce::Reference>(const edit::Subject&, const edit::TensorFacts&)> reference;
};

struct ReducedMinimal {
  reduce::MinimalReduction reduction;
  std::vector<reduce::OtherFailure> others;  // that were met
};
// Errors: those of reduce_to_minimum and of the journal.
base::Expected<ReducedMinimal> reduce_minimal(const model::Model& model, const ReduceMinimalOptions& options,
                                              Context& context);

// Tells of other failures, and saves their models beside the output where there is one. What cannot be saved is a
// warning: the result is not to be lost for it.
void save_others(const std::vector<reduce::OtherFailure>& others, const std::filesystem::path& output, base::Log& log);

// Tells of verdicts that this run took from an earlier one.
void report_earlier(const reduce::TrialCounts& counts, base::Log& log);

// What was removed, by which pass, in how many checks, and how sure it is.
void report_minimal(const reduce::MinimalReduction& reduction, Context& context);

}  // namespace assay::cli
