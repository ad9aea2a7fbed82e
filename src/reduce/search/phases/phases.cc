#include <array>

#include "reduce/search/phases/alike_nodes.h"
#include "reduce/search/phases/grow_neighbourhood.h"
#include "reduce/search/phases/phase.h"
#include "reduce/search/phases/search_ends.h"
#include "reduce/search/phases/take_out_nodes.h"

namespace assay::reduce {
namespace {

constexpr std::array kPhases = {
    PhaseRow{"hints", "try the nodes that the check's output names, with some nodes before them", begin_hints,
             end_growth},
    PhaseRow{"heaviest", "try the node whose bodies contain most of all nodes alone", begin_heaviest, end_growth},
    PhaseRow{"prefix", "bisect for the node at which the failure becomes visible", begin_prefix, end_prefix},
    PhaseRow{"neighbourhood", "grow a set of nodes around it until the set fails", begin_neighbourhood, end_growth},
    PhaseRow{"alike", "try only the nodes of the same operator as that node, if no small set fails", begin_alike,
             end_alike},
    PhaseRow{"suffix", "bisect for the nodes before it that are needed, if no small set fails", begin_suffix,
             end_suffix},
    PhaseRow{"ends", "try the first and the last of these, with a few nodes before them", begin_ends, end_growth},
    PhaseRow{"nodes", "remove sets of nodes, then single ones, until none can be removed", begin_take_out,
             end_take_out},
};

}  // namespace

std::span<const PhaseRow> phases() {
  return kPhases;
}

}  // namespace assay::reduce
