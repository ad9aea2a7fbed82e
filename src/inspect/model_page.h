// Shows a model as a web page: a drawing of the graph, in which a click on a node shows its inputs, outputs and
// attributes. The page is one file without scripts or links to other files.
#pragma once

#include <string>

#include "inspect/model_description.h"

namespace assay::inspect {

// The description must include layers; attributes are shown if it has them. Bodies are shown as text.
std::string to_page(const ModelDescription& model, const DescribeOptions& options);

}  // namespace assay::inspect
