// Asks TensorRT's parser which nodes of a model it takes.
#pragma once

#include "backend/tensorrt/sdk/sdk.h"
#include "tensorrt/capability.h"
#include "tensorrt/network_plan.h"

namespace assay::backend {

// Builds nothing. A node that the parser refuses is part of the answer. Returns a Refused in phase load for a model
// that can't be read, and for TensorRT 10.0, whose parser has another function for this.
Answer<tensorrt::Capability> ask_parser(const worker::ModelSource& model, const tensorrt::NetworkPlan& plan,
                                        TensorRtSdk& sdk);

}  // namespace assay::backend
