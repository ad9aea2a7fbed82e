// `debug reduce`: from its options to the reducer, and to what the user reads at the end.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "base/error.h"
#include "cli/command.h"
#include "cli/options/check_options.h"
#include "cli/options/iteration_options.h"
#include "cli/options/reduction_options.h"
#include "cli/options/slot_options.h"
#include "reduce/judge/failure_filter.h"
#include "reduce/reduce_model.h"

namespace assay::cli {

struct ReductionSetup {
  const CheckOptions& check;
  const IterationOptions& iterations;
  const SlotOptions& slots;
  const ReductionOptions& search;
  reduce::Mode mode = reduce::Mode::minimal;
  bool move_outputs = true;  // bisect and linear
  bool move_inputs = true;
  std::filesystem::path output;  // of the result; the journal and models of other failures lie next to it
  bool infer_shapes = true;
  bool see_all_shapes = false;
  tensor::NamedTensors values;       // that the user gave, by tensor name; may be empty
  reduce::FixedInputs fixed_inputs;  // --model-input-shapes
  std::function<std::unique_ptr<reduce::Reference>(const edit::Subject&, const edit::TensorFacts&)> reference;
};

struct ReductionOutcome {
  reduce::Reduction reduction;
  std::vector<reduce::OtherFailure> others;  // that candidates had
};
// Errors: those of reduce_model() and of the journal.
base::Expected<ReductionOutcome> run_reduction(const model::Model& model, const ReductionSetup& options,
                                               Context& context);

// Reports other failures, and saves their models next to the output if there is one. If that fails, it warns: the
// result must not be lost.
void save_others(const std::vector<reduce::OtherFailure>& others, const std::filesystem::path& output, base::Log& log);

// Logs what was removed, by which pass, in how many checks, and how certain it is.
void report_reduction(const reduce::Reduction& reduction, Context& context);

}  // namespace assay::cli
