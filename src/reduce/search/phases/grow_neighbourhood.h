// Rows of the table in phases.cc.
#pragma once

#include "reduce/search/phases/phase.h"

namespace assay::reduce {

// Round the nodes that the check's own words name.
std::unique_ptr<Phase> begin_hints(const edit::Subject& subject, Found& found);
// The node whose bodies hold most of all nodes, alone, where there is one.
std::unique_ptr<Phase> begin_heaviest(const edit::Subject& subject, Found& found);
// Round the node where the failure becomes visible.
std::unique_ptr<Phase> begin_neighbourhood(const edit::Subject& subject, Found& found);
// Round the first and the last of what a bisection from both ends has left.
std::unique_ptr<Phase> begin_ends(const edit::Subject& subject, Found& found);
void end_growth(const Phase& phase, Found& found);

}  // namespace assay::reduce
