// How large is a model, for a reduction?
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/model.h"

namespace assay::reduce {

// Nodes of the graph and of all bodies in it; a call of a local function counts as the nodes of the function, and one
// more. So a body that takes the place of its node makes the model smaller. Nesting deeper than a bound counts as none.
std::int64_t count_all_nodes(const model::Model& model);

// The same for each of some nodes of the model: 1, and those in its bodies.
std::vector<std::int64_t> count_in_each(const model::Model& model, std::span<const onnx::NodeProto* const> nodes);

}  // namespace assay::reduce
