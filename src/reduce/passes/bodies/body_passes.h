// Declares the passes that work inside nodes: on bodies and functions. The table in passes.cc says what each of them
// does.
#pragma once

#include <vector>

#include "reduce/passes/pass.h"

namespace assay::reduce {

std::vector<edit::ModelChange> replace_if_by_branch(const PassInput& input);
std::vector<edit::ModelChange> unroll_loop(const PassInput& input);
std::vector<edit::ModelChange> open_scan(const PassInput& input);
std::vector<edit::ModelChange> inline_functions(const PassInput& input);
std::vector<edit::ModelChange> empty_branches(const PassInput& input);
std::vector<edit::ModelChange> remove_body_nodes(const PassInput& input);
std::vector<edit::ModelChange> bypass_body_nodes(const PassInput& input);
std::vector<edit::ModelChange> bypass_function_nodes(const PassInput& input);
std::vector<edit::ModelChange> drop_body_outputs(const PassInput& input);
std::vector<edit::ModelChange> drop_unused_functions(const PassInput& input);

}  // namespace assay::reduce
