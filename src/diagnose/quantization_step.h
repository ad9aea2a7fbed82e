#pragma once

#include <string>

#include "model/model.h"

namespace assay::diagnose {

// Returns true if nodes of the main graph quantize values or compute with quantized ones.
bool is_quantized(const model::Model& model);

// Returns the distance between neighbouring values of an output that DequantizeLinear computes; the largest if it has
// several. Returns 0 for other outputs, and if the scale isn't a weight.
double quantization_step(const model::Model& model, const std::string& output);

}  // namespace assay::diagnose
