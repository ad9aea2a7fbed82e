// Element types that follow from the readers of a tensor.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "model/model.h"
#include "model/operator_schema.h"

namespace assay::model {

// Returns the element types of the graph's tensors that follow from `known`, without those that are known. A type
// spreads between the inputs and outputs for which an operator's schema demands one type, in both directions and
// through calls of local functions. A tensor whose types contradict has none. Bodies of If, Loop and Scan aren't looked
// at.
std::map<std::string, std::int32_t> unify_types(const Model& model, const ElementTypeOf& known);

}  // namespace assay::model
