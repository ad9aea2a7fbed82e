// The page of `assay inspect model`: the graph, and facts about the model.
#pragma once

#include "base/error.h"
#include "model/model.h"
#include "report/page/page.h"

namespace assay::pages {

// Returns the page without title, command line and environment. Errors: those of inspect::describe().
base::Expected<report::Page> model_page(const model::Model& model);

}  // namespace assay::pages
