// Prints the layers of a TensorRT engine as text, in the layout of model_text.h.
#pragma once

#include <string>

#include "inspect/model_description.h"
#include "tensorrt/engine_info.h"

namespace assay::inspect {

// Returns lines, the last one without a line break. A layer begins with the line "Layer 3    | NAME [Op: TYPE]". Then
// come its inputs and outputs, as in model_text.h, a line "ONNX node: NAME" for each node that it computes, and its
// attributes, "NAME = VALUE". Without layers, the text has the number of layers of each type. Uses `layers` and
// `attributes` of the options.
std::string engine_text(const tensorrt::EngineInfo& engine, const DescribeOptions& options);

}  // namespace assay::inspect
