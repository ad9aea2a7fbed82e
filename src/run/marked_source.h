// Serialises a loaded model with other outputs, ready for an engine.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "model/model.h"
#include "worker/engine.h"

namespace assay::run {

// Returns the model with these tensors, by their exact names and in this order, as its only outputs. Keeps all nodes,
// used or not. Large weights stay in their files unread (model::serialize_by_reference), so the cost is that of the
// nodes and the small weights. The result doesn't need the model to stay alive. Errors: not_found for a tensor that
// isn't in the outer graph; those of serialize_by_reference().
base::Expected<worker::ModelSource> marked_source(const model::Model& model, const std::vector<std::string>& tensors);
// The same, with the model's own outputs.
base::Expected<worker::ModelSource> unmarked_source(const model::Model& model);
// As marked_source(), but keeps only the nodes that these tensors need (edit::keep_ancestors).
base::Expected<worker::ModelSource> needed_source(const model::Model& model, const std::vector<std::string>& tensors);

}  // namespace assay::run
