// Prints a model's description as text, for people and for scripts that search it line by line.
#pragma once

#include <string>

#include "inspect/model_description.h"

namespace assay::inspect {

// Returns lines, the last one without a line break. A node (a layer, in a network) begins with the line "Node 3    |
// NAME [Op: TYPE]". Then come its inputs and outputs, "{x [dtype=float32, shape=(1, 3)]," ... " -> {y [dtype=float32,
// shape=(1, 'n')]}", and its attributes, "NAME.ATTRIBUTE = VALUE". A dimension is a number, a symbol in quotes, or -1.
// Bodies and local functions have the same layout, indented.
std::string to_text(const ModelDescription& model, const DescribeOptions& options);

// Returns a line with the number of the unbounded sizes, and one for each. They must have been requested.
std::string unbounded_text(const ModelDescription& model);

}  // namespace assay::inspect
