// A row of the table in phases.cc.
#pragma once

#include "reduce/search/phases/phase.h"

namespace assay::reduce {

// Removes all nodes of some operators at once: a failure that isn't local may need many nodes of one operator.
std::unique_ptr<Phase> begin_alike(const edit::Subject& subject, Found& found);
void end_alike(const Phase& phase, Found& found);

}  // namespace assay::reduce
