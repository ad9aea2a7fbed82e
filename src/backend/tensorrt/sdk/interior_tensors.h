// Tells which tensors of a network are inside a loop or a conditional. TensorRT forbids to mark them as outputs, and
// its headers don't say when it complains: perhaps only when the engine is built, long after a pattern has marked them.
#pragma once

#include <NvInfer.h>

#include <set>

namespace assay::backend {

std::set<const nvinfer1::ITensor*> interior_tensors(const nvinfer1::INetworkDefinition& network);

}  // namespace assay::backend
