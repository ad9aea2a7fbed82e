// A model's description as text for people, and for scripts that search it line by line.
#pragma once

#include <string>

#include "inspect/model_description.h"

namespace assay::inspect {

// Lines, the last without an end. A node opens with a line "Node 3    | NAME [Op: TYPE]", then come its inputs and
// outputs:
// "{x [dtype=float32, shape=(1, 3)]," ... " -> {y [dtype=float32, shape=(1, 'n')]}", then its attributes as
// "NAME.ATTRIBUTE = VALUE". A dimension is a number, a symbol in quotes, or -1. Bodies and local functions are laid out
// as the graph is, further in.
std::string to_text(const ModelDescription& model, const DescribeOptions& options);

// "{a [dtype=float32, shape=(2,)],\n b}": one value a line.
std::string values_text(const std::vector<ValueDescription>& values);

}  // namespace assay::inspect
