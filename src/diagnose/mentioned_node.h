// Finds the node that an engine's message is about.
#pragma once

#include <string>

#include "diagnose/state.h"
#include "model/model.h"

namespace assay::diagnose {

// Returns the first node that the message names by its output in the way of OpenVINO or ONNX Runtime; otherwise the
// node with the longest name that the message mentions as a word of its own; empty if there is none. Names of one or
// two characters may be in a message by chance, so they don't count.
NodeLabel mentioned_node(const model::Model& model, const std::string& message);

}  // namespace assay::diagnose
