#include "cli/commands/debug/reduce/reduction_task.h"

namespace assay::cli {

std::optional<reduce::SavedOutputsLimits> limits_of_saved_outputs(const ReductionTask& task) {
  if (task.saved_reference == nullptr) return std::nullopt;
  return reduce::SavedOutputsLimits{
      .why_not_compare = [saved = task.saved_reference](const auto& model) { return saved->why_not(model); },
      .why_not_run = [saved = task.saved_reference](const auto& model) { return saved->find_missing_input(model); }};
}

}  // namespace assay::cli
