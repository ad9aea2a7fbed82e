// Reads the attributes of a network's layers: strides, axes, operations, weights.
#pragma once

#include <NvInfer.h>

#include <string>
#include <utility>
#include <vector>

#include "backend/tensorrt/sdk/sdk.h"
#include "tensorrt/network_info.h"

namespace assay::backend {

struct LayerAttributes {
  std::vector<tensorrt::NetworkAttribute> values;
  std::vector<std::pair<std::string, nvinfer1::Weights>> weights;  // by attribute; the network owns the values
};

// Returns what distinguishes the layer from others of its kind, under the names of TensorRT's Python API, and the
// metadata in which the parser names the ONNX node. Unknown and empty values are left out, and so are the attributes of
// kinds of layers that TensorRT got later than the headers with which this worker was built, and what the library
// lacks.
LayerAttributes layer_attributes(const nvinfer1::ILayer& layer, const TensorRtSdk& sdk);

}  // namespace assay::backend
