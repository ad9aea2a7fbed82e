// A row of the table in phases.cc.
#pragma once

#include "reduce/search/phases/phase.h"

namespace assay::reduce {

// Removes sets of nodes, then single ones, until none can be removed: the result is 1-minimal.
std::unique_ptr<Phase> begin_take_out(const edit::Subject& subject, Found& found);
void end_take_out(const Phase& phase, Found& found);

}  // namespace assay::reduce
