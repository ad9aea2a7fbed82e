// Declares the passes that work on nodes, their inputs, outputs, attributes and names. The table in passes.cc says what
// each of them does.
#pragma once

#include <vector>

#include "reduce/passes/pass.h"

namespace assay::reduce {

std::vector<edit::ModelChange> drop_outputs(const PassInput& input);
std::vector<edit::ModelChange> bypass_neutral_nodes(const PassInput& input);
std::vector<edit::ModelChange> bypass_nodes(const PassInput& input);
std::vector<edit::ModelChange> constant_conditions(const PassInput& input);
std::vector<edit::ModelChange> remove_nodes(const PassInput& input);
std::vector<edit::ModelChange> drop_optional_inputs(const PassInput& input);
std::vector<edit::ModelChange> drop_unread_inputs(const PassInput& input);
std::vector<edit::ModelChange> drop_unused_outputs(const PassInput& input);
std::vector<edit::ModelChange> freeze_inputs(const PassInput& input);
std::vector<edit::ModelChange> default_attributes(const PassInput& input);
std::vector<edit::ModelChange> fill_with_ones(const PassInput& input);
std::vector<edit::ModelChange> fill_with_zeros(const PassInput& input);
std::vector<edit::ModelChange> lower_opsets(const PassInput& input);
std::vector<edit::ModelChange> tidy_names(const PassInput& input);

}  // namespace assay::reduce
