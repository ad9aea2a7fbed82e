// The page of `assay check accuracy`: the saved metrics of all outputs, and how they were judged.
#pragma once

#include "compare/accuracy_results.h"
#include "compare/compare_outputs.h"
#include "report/page/page.h"

namespace assay::pages {

// `passed`: what compare::judge_saved() returned for this plan. Returns the page without title, command line and
// environment.
report::Page accuracy_page(const compare::AccuracyResults& results, const compare::ComparePlan& plan, bool passed);

}  // namespace assay::pages
