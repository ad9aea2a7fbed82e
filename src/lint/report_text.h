// The findings as text for people.
#pragma once

#include <string>

#include "lint/report.h"

namespace assay::lint {

// Returns the findings as text. The first line sums up. Then come a table of the nodes that the checker or the engine
// rejects, with the verdicts of both, and all findings, by node. All lines but the first are indented.
std::string to_text(const Report& report);

}  // namespace assay::lint
