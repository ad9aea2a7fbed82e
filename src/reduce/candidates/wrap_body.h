// Fits a candidate for a body back into its node. Part of BodyModel, whose header explains the rules.
#pragma once

#include <optional>
#include <string>

#include "edit/changes/model_change.h"

namespace assay::reduce {

// Returns the change to `outer` that gives `node` the new body, or nothing if a required type is unknown. `attribute`
// names the body from which the candidate was derived, and which the node still has. The arguments have to outlive only
// the call.
std::optional<edit::ModelChange> wrap_body(const onnx::GraphProto& outer, const edit::ValueInfos& known,
                                           const onnx::NodeProto& node, const std::string& attribute,
                                           const onnx::GraphProto& candidate);

}  // namespace assay::reduce
