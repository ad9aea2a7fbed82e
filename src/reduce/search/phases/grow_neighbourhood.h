// Phases that grow a set of nodes until it fails. Rows of the table in phases.cc.
#pragma once

#include "reduce/search/phases/phase.h"

namespace assay::reduce {

// Starts from the nodes that the check's output names.
std::unique_ptr<Phase> begin_hints(const edit::Subject& subject, Found& found);
// Tries the node whose bodies contain most of all nodes alone, if there is one.
std::unique_ptr<Phase> begin_heaviest(const edit::Subject& subject, Found& found);
// Starts from the node at which the failure becomes visible.
std::unique_ptr<Phase> begin_neighbourhood(const edit::Subject& subject, Found& found);
// Starts from the first and the last of the nodes that remain after a bisection from both ends.
std::unique_ptr<Phase> begin_ends(const edit::Subject& subject, Found& found);
void end_growth(const Phase& phase, Found& found);

}  // namespace assay::reduce
