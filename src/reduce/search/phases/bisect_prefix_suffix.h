// Bisections for the shortest failing beginning (prefix) and end (suffix) of the nodes. Rows of the table in phases.cc.
#pragma once

#include "reduce/search/phases/phase.h"

namespace assay::reduce {

std::unique_ptr<Phase> begin_prefix(const edit::Subject& subject, Found& found);
void end_prefix(const Phase& phase, Found& found);
std::unique_ptr<Phase> begin_suffix(const edit::Subject& subject, Found& found);
void end_suffix(const Phase& phase, Found& found);

}  // namespace assay::reduce
