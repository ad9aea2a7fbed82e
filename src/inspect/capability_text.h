// Formats what TensorRT's parser reports about a model, in the layout of Polygraphy's results.txt.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tensorrt/capability.h"

namespace assay::inspect {

// Returns a table of the nodes that the parser refuses: stack trace, operator, node, reason.
std::string errors_table(const std::vector<tensorrt::CapabilityError>& errors);

// Nodes from `begin` to before `end` that the parser refuses.
struct RefusedNodes {
  std::string op_type;  // operator of the first one
  std::string reason;
  std::size_t begin = 0;
  std::size_t end = 0;
};

// Returns a table with a row for each operator and reason: operator, how often, reason, nodes as [[begin, end], ...].
std::string refused_table(std::span<const RefusedNodes> refused);

}  // namespace assay::inspect
