// The part of the report that lists tensors.
#pragma once

#include <string>

#include "locate/location.h"

namespace assay::locate {

// Counts the tensors that differ, and lists those at which a difference is born or might be, in the model's order: the
// largest error in the model, its relative norm, and the largest error of the node by itself. Returns an empty string
// if no tensor differs.
std::string layers_text(const Location& location);

}  // namespace assay::locate
