#include "reduce/pass.h"

#include <array>

#include "reduce/passes/node_passes.h"

namespace assay::reduce {
namespace {

constexpr std::array kPasses{
    Pass{"drop-outputs", "Leave out outputs of the model, with the nodes that only they needed", drop_outputs},
    Pass{"bypass-nodes", "Let the readers of a node read one of its inputs, where type and shape allow", bypass_nodes},
    Pass{"remove-nodes", "Remove nodes; what they made becomes an input", remove_nodes},
};

}  // namespace

std::span<const Pass> passes() {
  return kPasses;
}

}  // namespace assay::reduce
