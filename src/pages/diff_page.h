// The page of `assay diff`: the changes in tables, and the graph of the first model with the changed weights.
#pragma once

#include "diff/model_diff.h"
#include "model/model.h"
#include "report/page/page.h"

namespace assay::pages {

// `first` is the first model of the comparison. Returns the page without title, command line and environment.
report::Page diff_page(const diff::ModelDiff& diff, const model::Model& first);

}  // namespace assay::pages
