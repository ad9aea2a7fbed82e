// Builds an engine from an ONNX model.
#pragma once

#include <NvInfer.h>

#include <memory>

#include "backend/tensorrt/options.h"
#include "backend/tensorrt/sdk/sdk.h"

namespace assay::backend {

// Returns the serialized engine. The parser reads the weights of a file, or of external data, by itself, so the worker
// doesn't hold them twice. Saves the timing cache if the options ask for it. Returns a Refused: in phase load if the
// parser doesn't accept the model, with the nodes that it names; in phase build for everything else.
Answer<std::unique_ptr<nvinfer1::IHostMemory>> build_engine(const worker::ModelSource& model,
                                                            const TensorRtOptions& options, TensorRtSdk& sdk);

}  // namespace assay::backend
