// Checks inputs and requested outputs against the model, so that the errors read the same for every engine and version.
#pragma once

#include <vector>

#include "backend/serve/serve.h"

namespace assay::backend {

// Checks that `feeds` contains all of `required` and otherwise only inputs in `optional`, with matching types and
// shapes. Otherwise returns a Refused in phase run with the tensor's name, what was expected and what was given. Shapes
// of rank zero aren't checked, because engines also use it for an unknown rank.
Answer<void> check_feeds(const tensor::NamedTensors& feeds, const std::vector<worker::Port>& required,
                         const std::vector<worker::Port>& optional);

// Returns the outputs in `wanted`, or all if it is empty, those that aren't tensors included. Returns a Refused for a
// wanted output that doesn't exist or isn't a tensor.
Answer<std::vector<std::string>> check_wanted(const std::vector<std::string>& wanted,
                                              const std::vector<worker::Port>& outputs);

}  // namespace assay::backend
