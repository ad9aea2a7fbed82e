// Gives tensors that decide the size of others an upper bound.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/error.h"
#include "base/log.h"
#include "model/model.h"

namespace assay::surgeon {

// By tensor; "" is the bound of all others.
using UpperBounds = std::map<std::string, std::int64_t>;

// Puts a Min behind every tensor that model::find_unbounded_sizes finds and that has a bound: the tensor keeps its name
// and is now what the Min gives, and the node that made it gives NAME_unbounded. Needs shapes, and folded constants.
// Errors: not_found for bounds of tensors that are not in the model; unsupported before operator set 12, whose Min
// takes no integers. A bound for a tensor that needs none is a warning.
base::Status bound_sizes(model::Model& model, const UpperBounds& bounds, base::Log& log);

}  // namespace assay::surgeon
