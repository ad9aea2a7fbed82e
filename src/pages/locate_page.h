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

// Returns the name, errors and origin of each compared tensor, for set_errors(). With all tensors as outputs, an engine
// may compute an output right that is wrong in the unchanged model; then the error is that of the unchanged model.
std::vector<report::PageTensor> errors_of(const locate::Location& location);

// Returns the answer in one sentence.
std::string verdict_on(const locate::Location& location);

}  // namespace assay::pages
