#pragma once

#include <string>

#include "model/model.h"

namespace assay::locate {

// Returns a sentence about the outputs that aren't tensors, whose values Assay doesn't get from engines: "outputs 's',
// 't' aren't tensors, and were not compared". Empty if there are none.
std::string note_on_outputs(const onnx::GraphProto& graph);

}  // namespace assay::locate
