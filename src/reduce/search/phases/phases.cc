#include <array>

#include "reduce/search/phases/grow_neighbourhood.h"
#include "reduce/search/phases/phase.h"
#include "reduce/search/phases/search_ends.h"
#include "reduce/search/phases/take_out_nodes.h"

namespace assay::reduce {
namespace {

constexpr std::array kPhases = {
    PhaseRow{"hints", "look round the nodes and tensors that the check's output names", begin_hints, end_growth},
    PhaseRow{"heaviest", "look at the node alone whose bodies hold most of all nodes", begin_heaviest, end_growth},
    PhaseRow{"prefix", "bisect for the node at which the failure becomes visible", begin_prefix, end_prefix},
    PhaseRow{"neighbourhood", "grow a set of nodes round it until it fails", begin_neighbourhood, end_growth},
    PhaseRow{"suffix", "bisect for the nodes before it that are needed, where no small set fails", begin_suffix,
             end_suffix},
    PhaseRow{"ends", "look at the first and the last of these, with a few nodes before them", begin_ends, end_growth},
    PhaseRow{"nodes", "take out sets of nodes, then single ones, until none can go", begin_take_out, end_take_out},
};

}  // namespace

std::span<const PhaseRow> phases() {
  return kPhases;
}

}  // namespace assay::reduce
