// Rules about the graph as a whole: names, edges, operator sets, and what is left unused.
#pragma once

#include "lint/report.h"
#include "model/model.h"

namespace assay::lint {

// Adds all findings of these rules. Every defect has a finding of its own; nodes that share one defect, such as a
// cycle, share the finding.
void check_graph(const model::Model& model, Report& report);

}  // namespace assay::lint
