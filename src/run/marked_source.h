// A loaded model with other outputs, ready for an engine.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "model/model.h"
#include "worker/engine.h"

namespace assay::run {

// The model with these tensors, by their exact names and in this order, as its only outputs. All nodes stay, used or
// not. Large weights stay where they lie and are not read (model::serialize_by_reference), so it costs the nodes of the
// model and its small weights. The result outlives the model. Errors: not_found for a tensor that the outer graph does
// not have; those of serialize_by_reference().
base::Expected<worker::ModelSource> marked_source(const model::Model& model, const std::vector<std::string>& tensors);
// The same, with no more nodes than these tensors need (edit::keep_ancestors).
base::Expected<worker::ModelSource> needed_source(const model::Model& model, const std::vector<std::string>& tensors);

}  // namespace assay::run
