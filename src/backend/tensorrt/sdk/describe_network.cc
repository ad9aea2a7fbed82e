#include "backend/tensorrt/sdk/describe_network.h"

#include "backend/tensorrt/sdk/apply_network.h"
#include "backend/tensorrt/sdk/dimensions.h"
#include "backend/tensorrt/sdk/open_parser.h"
#include "tensor/element_type.h"

namespace assay::backend {
namespace {

tensorrt::NetworkTensor describe(const nvinfer1::ITensor& tensor) {
  const nvinfer1::Dims dims = tensor.getDimensions();
  return {.name = tensor.getName(),
          .type = std::string(tensor::name(to_element_type(tensor.getType()))),
          .shape = to_shape(dims),
          .known_rank = dims.nbDims >= 0,
          .is_output = tensor.isNetworkOutput(),
          .holds_values = tensor.isExecutionTensor()};
}

tensorrt::NetworkLayer describe(const nvinfer1::ILayer& layer) {
  tensorrt::NetworkLayer described;
  described.name = layer.getName();
  for (int i = 0; i < layer.getNbInputs(); ++i) {
    // An optional input is null.
    if (const nvinfer1::ITensor* input = layer.getInput(i)) described.inputs.emplace_back(input->getName());
  }
  for (int i = 0; i < layer.getNbOutputs(); ++i) described.outputs.push_back(describe(*layer.getOutput(i)));
  return described;
}

}  // namespace

Answer<tensorrt::NetworkInfo> describe_network(const worker::ModelSource& model, const tensorrt::NetworkPlan& plan,
                                               TensorRtSdk& sdk) {
  ASSAY_ASSIGN(const OpenedParser opened, open_parser(plan, sdk));
  ASSAY_TRY(parse(model, *opened.parser, sdk));
  ASSAY_TRY(apply_network(plan, sdk, *opened.network));
  tensorrt::NetworkInfo network;
  for (int i = 0; i < opened.network->getNbLayers(); ++i) {
    const nvinfer1::ILayer& layer = *opened.network->getLayer(i);
    if (layer.getType() != nvinfer1::LayerType::kCONSTANT) network.layers.push_back(describe(layer));
  }
  for (int i = 0; i < opened.network->getNbOutputs(); ++i) {
    network.outputs.push_back(describe(*opened.network->getOutput(i)));
  }
  return network;
}

}  // namespace assay::backend
