#include <array>

#include "reduce/search/phases/phase_rows.h"

namespace assay::reduce {
namespace {

constexpr std::array kPhases = {
    PhaseRow{"hints", "Try the nodes that the check's output names, with some nodes before them", begin_hints},
    PhaseRow{"heaviest", "Try the node whose bodies contain most of all nodes, alone", begin_heaviest},
    PhaseRow{"prefix", "Bisect for the shortest failing prefix: its last node is where the failure becomes visible",
             begin_prefix},
    PhaseRow{"neighbourhood", "Grow a set of nodes around that last node until the set fails", begin_neighbourhood},
    PhaseRow{"alike", "If no small set fails, try only the nodes of the same operator as that last node", begin_alike},
    PhaseRow{"suffix", "If no small set fails, bisect for the shortest failing suffix of the prefix", begin_suffix},
    PhaseRow{"ends", "Try the first and the last remaining node, with a few nodes before them", begin_ends},
    PhaseRow{"nodes", "Remove sets of nodes, then single nodes, until none can be removed", begin_take_out},
};

}  // namespace

std::span<const PhaseRow> phases() {
  return kPhases;
}

}  // namespace assay::reduce
