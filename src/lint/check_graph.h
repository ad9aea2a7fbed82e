// Rules about the graph as a whole: names, edges, operator sets, and what is left unused.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "lint/report.h"
#include "model/model.h"

namespace assay::lint {

// Adds all findings of these rules. Every defect has a finding of its own; nodes that share one defect, such as a
// cycle, share the finding.
void check_graph(const model::Model& model, Report& report);

// Returns the domains of a node and of the nodes in its bodies, in the spelling for people.
std::set<std::string> domains_of(const onnx::NodeProto& node);

// Returns whether the ONNX standard defines operators of this domain.
bool is_standard_domain(std::string_view domain);

}  // namespace assay::lint
