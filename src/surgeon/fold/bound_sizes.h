// Sets upper bounds for tensors that decide the size of other tensors.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/error.h"
#include "base/log.h"
#include "model/model.h"

namespace assay::surgeon {

// Upper bounds by tensor; "" applies to all others.
using UpperBounds = std::map<std::string, std::int64_t>;

// Puts a Min after every tensor that model::find_unbounded_sizes finds and that has a bound, and after the others that
// are named, with a warning. The tensor's name becomes the Min's output, and its producer's output is renamed to
// NAME_unbounded. Needs shapes and folded constants. Warns about bounds for inputs and weights, which need none.
// Errors: not_found for a bound of a tensor that isn't in the model; invalid_input for one that holds no numbers;
// unsupported before operator set 12, whose Min doesn't accept integers.
base::Status bound_sizes(model::Model& model, const UpperBounds& bounds, base::Log& log);

}  // namespace assay::surgeon
