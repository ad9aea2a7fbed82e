// The page of `assay check accuracy`: the saved metrics of all outputs, and how they were judged.
#pragma once

#include "compare/judge_accuracy.h"
#include "report/page/page.h"

namespace assay::pages {

// Returns the page without title, command line and environment.
report::Page accuracy_page(const compare::JudgedResults& judged);

}  // namespace assay::pages
