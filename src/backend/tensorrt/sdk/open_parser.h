// Opens TensorRT's parser of ONNX models, with a network that it fills.
#pragma once

#include <NvInfer.h>
#include <NvOnnxParser.h>

#include <memory>

#include "backend/tensorrt/sdk/sdk.h"
#include "tensorrt/config_plan.h"
#include "tensorrt/network_plan.h"

namespace assay::backend {

// Members end in reverse order: the network refers to weights that the parser holds, the parser to the configuration,
// and all to the builder.
struct OpenedParser {
  std::unique_ptr<nvinfer1::IBuilder> builder;
  std::unique_ptr<nvinfer1::IBuilderConfig> config;
  std::unique_ptr<nvinfer1::INetworkDefinition> network;
  std::unique_ptr<nvonnxparser::IParser> parser;
};

// Loads plug-ins, sets the parser's flags and applies those settings of the configuration that need no network. The
// parser gets this configuration (TensorRT 10.15), as in Polygraphy. `config`: null if no engine will be built.
// Returns a Refused in phase start, load or build.
Answer<OpenedParser> open_parser(const tensorrt::NetworkPlan& plan, const tensorrt::ConfigPlan* config,
                                 TensorRtSdk& sdk);

// Fills the network. Returns a Refused in phase load with the nodes that the parser doesn't take.
Answer<void> parse(const worker::ModelSource& model, nvonnxparser::IParser& parser, TensorRtSdk& sdk);

// Returns the folder's path as the parser wants it: that of a model in the folder of external data. Empty: none.
std::string path_of(const worker::ModelSource& model);

}  // namespace assay::backend
