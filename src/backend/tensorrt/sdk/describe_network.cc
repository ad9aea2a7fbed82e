#include "backend/tensorrt/sdk/describe_network.h"

#include <optional>
#include <utility>

#include "backend/tensorrt/sdk/apply_network.h"
#include "backend/tensorrt/sdk/dimensions.h"
#include "backend/tensorrt/sdk/layer_attributes.h"
#include "backend/tensorrt/sdk/open_parser.h"
#include "base/atomic_file.h"
#include "tensor/element_type.h"
#include "tensorrt/enumerations.h"

namespace assay::backend {
namespace {

using worker::Phase;

tensorrt::NetworkTensor describe(const nvinfer1::ITensor& tensor) {
  const nvinfer1::Dims dims = tensor.getDimensions();
  return {.name = tensor.getName(),
          .type = std::string(tensor::name(to_element_type(tensor.getType()))),
          .shape = to_shape(dims),
          .known_rank = dims.nbDims >= 0,
          .is_output = tensor.isNetworkOutput(),
          .holds_values = tensor.isExecutionTensor()};
}

// Describes layers, and appends the values of their weights to a file.
class Describer {
 public:
  static base::Expected<Describer> create(const std::filesystem::path& weights, const TensorRtSdk& sdk) {
    Describer describer(sdk);
    if (!weights.empty()) {
      ASSAY_ASSIGN(auto file, base::AtomicFile::create(weights));
      describer.file_.emplace(std::move(file));
    }
    return describer;
  }

  base::Expected<tensorrt::NetworkLayer> describe_layer(const nvinfer1::ILayer& layer) {
    tensorrt::NetworkLayer described;
    described.name = layer.getName();
    described.kind = tensorrt::enumerator_name("LayerType", static_cast<int>(layer.getType()));
    for (int i = 0; i < layer.getNbInputs(); ++i) {
      // Optional inputs and outputs are null.
      if (const nvinfer1::ITensor* input = layer.getInput(i)) described.inputs.emplace_back(input->getName());
    }
    for (int i = 0; i < layer.getNbOutputs(); ++i) {
      if (const nvinfer1::ITensor* output = layer.getOutput(i)) described.outputs.push_back(describe(*output));
    }
    LayerAttributes attributes = layer_attributes(layer, sdk_);
    described.attributes = std::move(attributes.values);
    for (const auto& [name, weights] : attributes.weights) {
      ASSAY_ASSIGN(described.weights.emplace_back(), add_weights(name, weights));
      // The weights of a constant have the shape of its output, those of other layers are lists.
      if (layer.getType() == nvinfer1::LayerType::kCONSTANT)
        described.weights.back().shape = described.outputs[0].shape;
    }
    return described;
  }

  base::Status finish() { return file_ ? file_->commit(base::Durability::process) : base::Status(); }

 private:
  base::Expected<tensorrt::NetworkWeights> add_weights(const std::string& name, const nvinfer1::Weights& weights) {
    const tensor::ElementType type = to_element_type(weights.type);
    const tensorrt::NetworkWeights described{
        name, std::string(tensor::name(type)), {weights.count}, file_ ? file_->position() : 0};
    const auto bytes = tensor::byte_size(type, static_cast<std::uint64_t>(weights.count));
    if (file_ && bytes && weights.values != nullptr) {
      ASSAY_TRY(file_->write({static_cast<const char*>(weights.values), *bytes}));
    }
    return described;
  }

  explicit Describer(const TensorRtSdk& sdk) : sdk_(sdk) {}

  const TensorRtSdk& sdk_;
  std::optional<base::AtomicFile> file_;
};

base::Expected<tensorrt::NetworkInfo> describe(const nvinfer1::INetworkDefinition& definition, Describer describer) {
  tensorrt::NetworkInfo network;
  network.name = definition.getName();
  network.strongly_typed =
      NV_TENSORRT_MAJOR >= 11 || definition.getFlag(nvinfer1::NetworkDefinitionCreationFlag::kSTRONGLY_TYPED);
  for (int i = 0; i < definition.getNbInputs(); ++i) network.inputs.push_back(describe(*definition.getInput(i)));
  for (int i = 0; i < definition.getNbLayers(); ++i) {
    const nvinfer1::ILayer& layer = *definition.getLayer(i);
    const bool is_constant = layer.getType() == nvinfer1::LayerType::kCONSTANT;
    ASSAY_ASSIGN((is_constant ? network.constants : network.layers).emplace_back(), describer.describe_layer(layer));
  }
  for (int i = 0; i < definition.getNbOutputs(); ++i) network.outputs.push_back(describe(*definition.getOutput(i)));
  ASSAY_TRY(describer.finish());
  return network;
}

}  // namespace

Answer<tensorrt::NetworkInfo> describe_network(const worker::ModelSource& model, const tensorrt::NetworkPlan& plan,
                                               const std::filesystem::path& weights, TensorRtSdk& sdk) {
  ASSAY_ASSIGN(const OpenedParser opened, open_parser(plan, nullptr, sdk));
  ASSAY_TRY(parse(model, *opened.parser, sdk));
  ASSAY_TRY(apply_network(plan, sdk, *opened.network));
  auto describer = Describer::create(weights, sdk);
  if (!describer) return refuse(Phase::build, 0, describer.error().message());
  auto network = describe(*opened.network, *std::move(describer));
  if (!network) return refuse(Phase::build, 0, network.error().message());
  return *std::move(network);
}

}  // namespace assay::backend
