// Fits a candidate for a body into the node that the body is of. Part of BodyModel (body_model.h), which says how.
#pragma once

#include <optional>
#include <string>

#include "edit/model_change.h"

namespace assay::reduce {

// The change of `outer` that gives its node a new body. `attribute`: the body that the candidate was made from, which
// the node still has. Nothing where a type is missing for it. All arguments have to outlive the call only.
std::optional<edit::ModelChange> wrap_body(const onnx::GraphProto& outer, const edit::KnownValues& known,
                                           const onnx::NodeProto& node, const std::string& attribute,
                                           const onnx::GraphProto& candidate);

}  // namespace assay::reduce
