// The page of `assay debug locate`: where the difference is born, how that was found, and the errors in the graph.
#pragma once

#include <optional>
#include <vector>

#include "locate/locate.h"
#include "locate/report.h"
#include "model/model.h"
#include "pages/layer_errors.h"
#include "report/page/page.h"

namespace assay::pages {

// Makes the search pass the values of the whole model on to `worst`, which must outlive it.
void watch(locate::LocateOptions& options, WorstTensors& worst);

// `model`: the model of the first side. Returns the page without title, command line and environment.
report::Page locate_page(const locate::Location& location, const std::optional<locate::NextCommand>& next,
                         const model::Model& model, const WorstTensors& worst);

// Returns the name, errors and origin of each layer's tensor, for set_errors().
std::vector<report::PageTensor> errors_of(const std::vector<locate::Layer>& layers);

// Returns the answer in one sentence.
std::string verdict_on(const locate::Location& location);

}  // namespace assay::pages
