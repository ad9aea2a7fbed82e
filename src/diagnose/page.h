// The HTML report of a diagnosis.
#pragma once

#include "diagnose/case.h"
#include "diagnose/state.h"
#include "report/page/page.h"

namespace assay::diagnose {

// Returns the page without title, command line and environment.
report::Page make_page(const Case& task, const State& state);
// The same for a diagnosis that the user has stopped.
report::Page make_stopped_page(const Case& task, const State& state);

}  // namespace assay::diagnose
