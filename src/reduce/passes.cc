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
};

}  // namespace

std::span<const Pass> passes() {
  return kPasses;
}

}  // namespace assay::reduce
