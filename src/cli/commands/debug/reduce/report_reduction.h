// Reports the outcome of a reduction to the user.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/log.h"
#include "reduce/judge/failure_filter.h"
#include "reduce/reduce_model.h"

namespace assay::cli {

// Reports other failures, and saves their models next to the output if there is one. If that fails, it warns: the
// result must not be lost. Returns the files, one for each failure; empty if it isn't saved.
std::vector<std::string> save_others(const std::vector<reduce::OtherFailure>& others,
                                     const std::filesystem::path& output, base::Log& log);

// Describes each node of the result, those in bodies and functions after the node that holds or calls them. Constant
// nodes are left out unless they count as nodes.
std::vector<std::string> remaining_nodes(const reduce::Reduction& reduction);

// Logs what was removed, by which pass, in how many checks, and how certain it is. `by_command`: a command judged the
// candidates, not a person; then also logs the failure that it reported for the result.
void report_reduction(const reduce::Reduction& reduction, bool by_command, base::Log& log);

}  // namespace assay::cli
