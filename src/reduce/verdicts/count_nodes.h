// How large is a model, for a reduction?
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "edit/subject.h"
#include "model/model.h"

namespace assay::reduce {

using Constants = edit::Subject::Constants;

// Returns the number of nodes of the graph and of all bodies in it; a call of a local function counts as the nodes of
// the function, and one more. So a body that takes the place of its node makes the model smaller. Nesting deeper than a
// bound counts as none. Constant nodes are values, which aren't searched, unless the caller wants them to be nodes.
std::int64_t count_all_nodes(const model::Model& model, Constants constants = Constants::as_values);

// "Its 242 Constant nodes count as values, not as nodes", for people; empty if the model has none.
std::string describe_constants(const model::Model& model);

// The same for each of some nodes of the model: 1, and those in its bodies.
std::vector<std::int64_t> count_in_each(const model::Model& model, std::span<const onnx::NodeProto* const> nodes);

}  // namespace assay::reduce
