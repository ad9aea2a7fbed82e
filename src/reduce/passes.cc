#include "reduce/pass.h"

#include <array>

#include "reduce/passes/body_passes.h"
#include "reduce/passes/node_passes.h"

namespace assay::reduce {
namespace {

constexpr std::array kPasses{
    Pass{.name = "drop-outputs", .summary = "Leave out outputs of the model, with the nodes that only they needed", .propose = drop_outputs, .chance = 0.7, .removes_nodes = true},
    Pass{.name = "bypass-nodes", .summary = "Let the readers of a node read one of its inputs, where type and shape allow", .propose = bypass_nodes, .chance = 0.4, .removes_nodes = true},
    Pass{.name = "remove-nodes", .summary = "Remove nodes; what they made becomes an input", .propose = remove_nodes, .chance = 0.1, .removes_nodes = true, .repeats_search = true},
    Pass{.name = "replace-if-by-branch", .summary = "Put a branch of an If in its place, the one that was taken first", .propose = replace_if_by_branch, .chance = 0.5, .opens_bodies = true},
    Pass{.name = "unroll-loop", .summary = "Put one iteration of a Loop's body in its place", .propose = unroll_loop, .chance = 0.5, .opens_bodies = true},
    Pass{.name = "open-scan", .summary = "Put one step of a Scan's body in its place", .propose = open_scan, .chance = 0.5, .opens_bodies = true},
    Pass{.name = "inline-functions", .summary = "Put the body of a local function in the place of its call", .propose = inline_functions, .chance = 0.7, .opens_bodies = true},
    Pass{.name = "remove-body-nodes", .summary = "Remove nodes of bodies; what they made becomes an input", .propose = remove_body_nodes, .chance = 0.7, .works_inside = true},
    Pass{.name = "bypass-body-nodes", .summary = "Let the readers of a node in a body read one of its inputs", .propose = bypass_body_nodes, .chance = 0.4, .works_inside = true},
    Pass{.name = "drop-body-outputs", .summary = "Leave out what If, Loop and Scan give or carry and nobody reads", .propose = drop_body_outputs, .chance = 0.8, .works_inside = true},
    Pass{.name = "drop-optional-inputs", .summary = "Leave out inputs that an operator can do without", .propose = drop_optional_inputs, .chance = 0.6},
    Pass{.name = "drop-unused-outputs", .summary = "Leave out optional outputs of nodes that nobody reads", .propose = drop_unused_outputs, .chance = 0.8},
    Pass{.name = "default-attributes", .summary = "Leave out attributes, so that their defaults hold", .propose = default_attributes, .chance = 0.7},
    Pass{.name = "freeze-inputs", .summary = "Make recorded values of inputs part of the model", .propose = freeze_inputs, .chance = 0.6},
    Pass{.name = "weights-to-ones", .summary = "Fill floating-point weights with ones, as single elements where they broadcast", .propose = fill_with_ones, .chance = 0.7},
    Pass{.name = "weights-to-zeros", .summary = "Fill the floating-point weights that are left with zeros", .propose = fill_with_zeros, .chance = 0.4},
    Pass{.name = "shrink-dimensions", .summary = "Make sizes smaller, of inputs and weights together", .propose = shrink_dimensions, .chance = 0.6},
    Pass{.name = "drop-unread-inputs", .summary = "Leave out inputs and weights that nothing reads", .propose = drop_unread_inputs, .chance = 0.95},
    Pass{.name = "tidy-names", .summary = "Short names; texts, metadata and unused declarations left out", .propose = tidy_names, .chance = 0.95, .on_request = true},
};

}  // namespace

std::span<const Pass> passes() {
  return kPasses;
}

}  // namespace assay::reduce
