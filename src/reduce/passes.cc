#include "reduce/pass.h"

#include <array>

#include "reduce/passes/body_passes.h"
#include "reduce/passes/node_passes.h"

namespace assay::reduce {
namespace {

constexpr std::array kPasses{
    Pass{"drop-outputs", "Leave out outputs of the model, with the nodes that only they needed", drop_outputs},
    Pass{"bypass-nodes", "Let the readers of a node read one of its inputs, where type and shape allow", bypass_nodes},
    Pass{"remove-nodes", "Remove nodes; what they made becomes an input", remove_nodes},
    Pass{"replace-if-by-branch", "Put a branch of an If in its place, the one that was taken first",
         replace_if_by_branch, true},
    Pass{"unroll-loop", "Put one iteration of a Loop's body in its place", unroll_loop, true},
    Pass{"open-scan", "Put one step of a Scan's body in its place", open_scan, true},
    Pass{"inline-functions", "Put the body of a local function in the place of its call", inline_functions, true},
    Pass{"remove-body-nodes", "Remove nodes of bodies; what they made becomes an input", remove_body_nodes},
    Pass{"bypass-body-nodes", "Let the readers of a node in a body read one of its inputs", bypass_body_nodes},
    Pass{"drop-body-outputs", "Leave out what If, Loop and Scan give or carry and nobody reads", drop_body_outputs},
    Pass{"drop-optional-inputs", "Leave out inputs that an operator can do without", drop_optional_inputs},
    Pass{"drop-unused-outputs", "Leave out optional outputs of nodes that nobody reads", drop_unused_outputs},
    Pass{"default-attributes", "Leave out attributes, so that their defaults hold", default_attributes},
    Pass{"freeze-inputs", "Make recorded values of inputs part of the model", freeze_inputs},
    Pass{"weights-to-ones", "Fill floating-point weights with ones, as single elements where they broadcast",
         fill_with_ones},
    Pass{"weights-to-zeros", "Fill the floating-point weights that are left with zeros", fill_with_zeros},
    Pass{"shrink-dimensions", "Make sizes smaller, of inputs and weights together", shrink_dimensions},
    Pass{"drop-unread-inputs", "Leave out inputs and weights that nothing reads", drop_unread_inputs},
    Pass{"tidy-names", "Short names; texts, metadata and unused declarations left out", tidy_names},
};

}  // namespace

std::span<const Pass> passes() {
  return kPasses;
}

}  // namespace assay::reduce
