// assay debug reduce: reduces a failing model to a small one that still fails.
#pragma once

#include <memory>
#include <string>

#include "cli/checks/command_with_check.h"
#include "cli/commands/debug/reduce/check_facts.h"
#include "cli/commands/debug/reduce/reduction_options.h"
#include "cli/commands/debug/reduce/repro_options.h"
#include "cli/commands/debug/reduce/run_reduction.h"
#include "cli/commands/debug/reduce/slot_options.h"
#include "cli/options/data_loader_options.h"
#include "cli/options/iteration_options.h"
#include "cli/options/memory_budget_option.h"
#include "cli/options/model_options.h"
#include "cli/options/model_save_options.h"
#include "cli/options/report_option.h"
#include "reduce/reduce_model.h"
#include "reduce/values/missing_values.h"
#include "reduce/values/reference_inputs.h"

namespace assay::cli {

class DebugReduce final : public CommandWithCheck {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;

 private:
  [[nodiscard]] base::Status check_files() const;
  [[nodiscard]] base::Status check_options() const;
  // Returns the requested mode, or the one that fits the other options.
  [[nodiscard]] base::Expected<reduce::Mode> mode(base::Log& log) const;
  // Applies the shapes of --model-input-shapes to the inputs, and infers those of the other tensors.
  base::Status fix_input_shapes(model::Model& model, base::Log& log) const;
  base::Expected<ReductionTask> make_task(Context& context) const;
  // Finds out what the task says about inputs and --values.
  base::Status take_inputs(ReductionTask& task, const model::Model& model, Context& context) const;
  base::Expected<int> reduce(const ReductionTask& task, Context& context) const;
  // Returns the values of the first iteration; those beyond the memory budget, in bytes, are in files.
  base::Expected<tensor::NamedTensors> first_values(data::InputSource& source, const model::Model& model,
                                                    std::uint64_t memory_budget) const;
  // Returns the data loader's values.
  base::Expected<tensor::NamedTensors> input_values(const model::Model& model, std::uint64_t memory_budget,
                                                    Context& context, base::Log& log,
                                                    const reduce::InputShapes& chosen = {}) const;
  std::unique_ptr<reduce::Reference> make_reference(const ReductionTask& task, Context& context,
                                                    const edit::Subject& subject, const edit::TensorFacts& facts) const;
  base::Status save(const reduce::Reduction& reduction, Context& context) const;
  base::Status write_repro(const reduce::Reduction& reduction, const ReductionTask& task, Context& context) const;
  [[nodiscard]] bool wants_page(const Context& context) const;
  base::Status write_report(const ReductionOutcome& outcome, const pages::ReductionHistory& history,
                            const ReductionTask& task, Context& context) const;

  ModelOptions model_;
  DataLoaderOptions data_;
  ModelSaveOptions save_;
  IterationOptions iterations_;
  ReproOptions repro_;
  SlotOptions slots_;
  ReductionOptions search_;
  CLI::App* app_ = nullptr;
  std::string mode_ = "minimal";
  std::string min_good_;
  MemoryBudgetOption memory_budget_;
  ReportOption report_{"debug reduce"};
  bool no_reduce_inputs_ = false;
  bool no_reduce_outputs_ = false;
};

}  // namespace assay::cli
