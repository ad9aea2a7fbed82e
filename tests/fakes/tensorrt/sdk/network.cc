#include "network.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "dims.h"
#include "layer_kinds.h"
#include "misbehave.h"
#include "operators/operators.h"

namespace fake_tensorrt {
namespace {

using nvinfer1::DataType;
using nvinfer1::ITensor;
using nvinfer1::LayerType;
namespace blank = nvinfer1::apiv::blank;

int index_of(const ITensor& tensor) {
  return implementation_of<Tensor>(tensor).index();
}

// The public object of a layer. It has two pointers: one for what all layers have, and one for its kind.
template <class Interface, class Kind>
class LayerHandle final : public Interface {
 public:
  LayerHandle(Network& network, int index) : layer_(network, index), kind_(network.graph().layers[index]) {
    this->mLayer = &layer_;
    if constexpr (!std::is_same_v<Kind, NoKind>) this->mImpl = &kind_;
    if constexpr (std::is_base_of_v<nvinfer1::ILoopBoundaryLayer, Interface>) {
      static LoopBoundary only_loop;
      this->mBoundary = &only_loop;
    }
    if constexpr (std::is_base_of_v<nvinfer1::IIfConditionalBoundaryLayer, Interface>) {
      static ConditionalBoundary only_conditional;
      this->mBoundary = &only_conditional;
    }
#ifdef FAKE_HAS_VAttention
    if constexpr (std::is_base_of_v<nvinfer1::IAttentionBoundaryLayer, Interface>) {
      static AttentionBoundary only_attention;
      this->mBoundary = &only_attention;
    }
#endif
  }

 private:
  Layer layer_;
  Kind kind_;
};

// Returns the border of a loop, a conditional or an attention that the next Dropout has to be, if the fake is asked for
// one.
std::optional<LayerType> border_type(const Graph& graph) {
  const auto is_dropout = [](const GraphLayer& layer) { return layer.op == "Dropout"; };
  const bool begins = std::count_if(graph.layers.begin(), graph.layers.end(), is_dropout) % 2 == 0;
  if (misbehaves("loop")) return begins ? LayerType::kRECURRENCE : LayerType::kLOOP_OUTPUT;
  if (misbehaves("conditional")) return begins ? LayerType::kCONDITIONAL_INPUT : LayerType::kCONDITIONAL_OUTPUT;
#ifdef FAKE_HAS_VAttention
  if (misbehaves("attention")) return begins ? LayerType::kATTENTION_INPUT : LayerType::kATTENTION_OUTPUT;
#endif
  return std::nullopt;
}

}  // namespace

void Tensor::setAllowedFormats(nvinfer1::TensorFormats formats) noexcept {
  constexpr int kCount = 13;
  crash_if_unknown_mask("TensorFormat", formats, kCount);
  row().formats = formats;
}

nvinfer1::TensorFormats Tensor::getAllowedFormats() const noexcept {
  constexpr nvinfer1::TensorFormats kAll = (1U << nvinfer1::EnumMax<nvinfer1::TensorFormat>()) - 1;
  return row().formats == 0 ? kAll : row().formats;
}

GraphLayer& Layer::row() const {
  return network_.graph().layers[index_];
}
ITensor* Layer::getInput(int32_t index) const noexcept {
  return network_.tensor(row().inputs, index);
}
ITensor* Layer::getOutput(int32_t index) const noexcept {
  return network_.tensor(row().outputs, index);
}
DataType Layer::getOutputType(int32_t index) const noexcept {
#if NV_TENSORRT_MAJOR < 11
  if (outputTypeIsSet(index)) return row().output_types[index].value();
#endif
  return getOutput(index) == nullptr ? DataType::kFLOAT : getOutput(index)->getType();
}

// Polygraphy silences the log for this question.
bool Tensor::isShapeTensor() const noexcept {
  log_error(logger_, "ITensor::isShapeTensor: Error Code 4: Internal Error (the network isn't complete)");
  return shape_tensors(graph_)[index_];
}

#if NV_TENSORRT_MAJOR < 11      // TensorRT 11 has the types of the model
constexpr int kDataTypes = 10;  // of TensorRT 10.0

// The types of other tensors than inputs follow from the model, in a strongly typed network.
void Tensor::setType(nvinfer1::DataType type) noexcept {
  crash_if_unknown("DataType", static_cast<int>(type), kDataTypes);
  if (!is_strict_ || isNetworkInput() || type == row().type) {
    row().io_type = type;
    if (is_strict_) row().type = type;
  } else {
    log_error(logger_, "ITensor::setType: Error Code 3: API Usage Error (the network is strongly typed, and " +
                           row().name + " has another type)");
  }
}

DataType Layer::getPrecision() const noexcept {
  return row().precision.value_or(DataType::kFLOAT);
}

void Layer::setPrecision(DataType type) noexcept {
  crash_if_unknown("DataType", static_cast<int>(type), kDataTypes);
  if (network_.is_strongly_typed()) {
    log_error(network_.logger(), "ILayer::setPrecision: Error Code 3: API Usage Error (the network of " + row().name +
                                     " is strongly typed)");
  } else {
    row().precision = type;
  }
}
void Layer::setOutputType(int32_t index, DataType type) noexcept {
  if (index >= 0 && index < getNbOutputs()) row().output_types[index] = type;
}
bool Layer::outputTypeIsSet(int32_t index) const noexcept {
  return index >= 0 && index < getNbOutputs() && row().output_types[index].has_value();
}
void Layer::resetOutputType(int32_t index) noexcept {
  if (index >= 0 && index < getNbOutputs()) row().output_types[index].reset();
}
#endif

#ifdef FAKE_HAS_VNetworkDefinition_markUnfusedTensorsAsDebugTensors
bool Network::markUnfusedTensorsAsDebugTensors() noexcept {
  crash_if_too_old("INetworkDefinition::markUnfusedTensorsAsDebugTensors");
  if (refuses("INetworkDefinition::markUnfusedTensorsAsDebugTensors", logger_)) return false;
  return graph_.all_debug = true;
}
#endif

ITensor* Network::at(const std::vector<int>& indices, int32_t position) const {
  if (position < 0 || position >= static_cast<int32_t>(indices.size())) return nullptr;
  return &tensors_[indices[position]];
}
ITensor* Network::tensor(const std::vector<int>& indices, int32_t position) {
  return at(indices, position);
}

int Network::add_tensor(GraphTensor row) {
  const int index = static_cast<int>(graph_.tensors.size());
  graph_.tensors.push_back(std::move(row));
  tensors_.emplace_back(graph_, index, logger_, is_strongly_typed());
  known_.shapes.resize(graph_.tensors.size());
  known_.numbers.resize(graph_.tensors.size());
  return index;
}

GraphTensor Network::output_like(ITensor& input) const {
  GraphTensor output = graph_.tensors[index_of(input)];
  output.io_type = output.type;
  output.formats = 0;
  output.is_debug = false;
  return output;
}

template <class Interface, class Kind>
Interface* Network::add_layer(GraphLayer row, GraphTensor output) {
  const int index = static_cast<int>(graph_.layers.size());
  row.name = "(Unnamed Layer* " + std::to_string(index) + ") [" + name_of(row.type) + "]";
  output.name = row.name + "_output";
  const int result = add_tensor(std::move(output));
  row.outputs = {result};
  row.output_types.resize(1);
  for (const int input : row.inputs) known_.shapes.at(input) = graph_.tensors[input].dims;
  if (!infer_layer(graph_, row, known_)) {
    std::string shapes;
    for (const int input : row.inputs) shapes += (shapes.empty() ? "" : " and ") + to_text(graph_.tensors[input].dims);
    log_error(logger_, "Error Code 4: Shape Error (" + shapes + " can't be broadcast)");
    graph_.tensors.pop_back();
    tensors_.pop_back();
    return nullptr;
  }
  graph_.tensors[result].dims = known_.shapes.at(result);
  graph_.layers.push_back(std::move(row));
  const auto handle = std::make_shared<LayerHandle<Interface, Kind>>(*this, index);
  layers_.push_back(handle.get());
  if (handle->getType() == LayerType::kCONDITIONAL_OUTPUT) move_input_of_conditional();
  layer_owner_.push_back(handle);
  return handle.get();
}

// The parser adds the inputs of a conditional after the layers of its branches.
void Network::move_input_of_conditional() {
  const auto last_input = std::find_if(layers_.rbegin(), layers_.rend(), [](const nvinfer1::ILayer* layer) {
    return layer->getType() == LayerType::kCONDITIONAL_INPUT;
  });
  const auto after = last_input.base();
  std::rotate(std::prev(after), after, std::prev(layers_.end()));
}

bool Network::knows_operator(const char* op) const {
  if (std::string_view(op) == "FakePlugin") return plugins_.has_plugin(op);
  return find_operator(op) != nullptr;
}

nvinfer1::ILayer* Network::add_operator(const char* op, const std::map<std::string, std::vector<double>>& attributes,
                                        const std::vector<ITensor*>& inputs) {
  const Operator* row = find_operator(op);
  if (row == nullptr || inputs.size() < row->least_inputs || inputs.size() > row->most_inputs) return nullptr;
  GraphLayer layer{.type = row->layer, .op = op, .attributes = attributes};
  if (layer.op == "Dropout") layer.type = border_type(graph_).value_or(layer.type);
  for (const ITensor* input : inputs) {
    const GraphTensor& tensor = graph_.tensors[index_of(*input)];
    if (tensor.type == DataType::kFP8 || element_size(tensor.type) == 0) return nullptr;
    layer.inputs.push_back(index_of(*input));
  }
  GraphTensor output = output_like(*inputs.at(0));
  output.type = output.io_type = result_type(layer, output.type);
  const auto add = [&]<class Interface, class Kind>() {
    return add_layer<Interface, Kind>(std::move(layer), std::move(output));
  };
  switch (layer.type) {
    case LayerType::kACTIVATION:
      return add.operator()<nvinfer1::IActivationLayer, ActivationKind>();
    case LayerType::kELEMENTWISE:
      return add.operator()<nvinfer1::IElementWiseLayer, ElementWiseKind>();
    case LayerType::kCAST:
      return add.operator()<nvinfer1::ICastLayer, Blank<blank::VCastLayer>>();
    case LayerType::kCONCATENATION:
      return add.operator()<nvinfer1::IConcatenationLayer, Blank<blank::VConcatenationLayer>>();
    case LayerType::kCONDITIONAL_INPUT:
      return add.operator()<nvinfer1::IIfConditionalInputLayer, Blank<blank::VConditionalInputLayer>>();
    case LayerType::kCONDITIONAL_OUTPUT:
      return add.operator()<nvinfer1::IIfConditionalOutputLayer, Blank<blank::VConditionalOutputLayer>>();
    case LayerType::kCONVOLUTION:
      return add.operator()<nvinfer1::IConvolutionLayer, Blank<blank::VConvolutionLayer>>();
    case LayerType::kFILL:
      return add.operator()<nvinfer1::IFillLayer, Blank<blank::VFillLayer>>();
    case LayerType::kGATHER:
      return add.operator()<nvinfer1::IGatherLayer, Blank<blank::VGatherLayer>>();
    case LayerType::kLOOP_OUTPUT:
      return add.operator()<nvinfer1::ILoopOutputLayer, Blank<blank::VLoopOutputLayer>>();
    case LayerType::kMATRIX_MULTIPLY:
      return add.operator()<nvinfer1::IMatrixMultiplyLayer, Blank<blank::VMatrixMultiplyLayer>>();
    case LayerType::kPOOLING:
      return add.operator()<nvinfer1::IPoolingLayer, Blank<blank::VPoolingLayer>>();
    case LayerType::kRECURRENCE:
      return add.operator()<nvinfer1::IRecurrenceLayer, Blank<blank::VRecurrenceLayer>>();
    case LayerType::kREDUCE:
      return add.operator()<nvinfer1::IReduceLayer, Blank<blank::VReduceLayer>>();
    case LayerType::kSCALE:
      return add.operator()<nvinfer1::IScaleLayer, Blank<blank::VScaleLayer>>();
    case LayerType::kSHAPE:
      return add.operator()<nvinfer1::IShapeLayer, Blank<blank::VShapeLayer>>();
    case LayerType::kSHUFFLE:
      return add.operator()<nvinfer1::IShuffleLayer, Blank<blank::VShuffleLayer>>();
    case LayerType::kSLICE:
      return add.operator()<nvinfer1::ISliceLayer, SliceKind>();
    case LayerType::kSOFTMAX:
      return add.operator()<nvinfer1::ISoftMaxLayer, Blank<blank::VSoftMaxLayer>>();
    case LayerType::kUNARY:
      return add.operator()<nvinfer1::IUnaryLayer, Blank<blank::VUnaryLayer>>();
#ifdef FAKE_HAS_VAttention
    case LayerType::kATTENTION_INPUT:
      return add.operator()<nvinfer1::IAttentionInputLayer, Blank<blank::VAttentionInputLayer>>();
    case LayerType::kATTENTION_OUTPUT:
      return add.operator()<nvinfer1::IAttentionOutputLayer, Blank<blank::VAttentionOutputLayer>>();
#endif
#ifdef FAKE_HAS_VKVCacheUpdateLayer
    case LayerType::kKVCACHE_UPDATE:
      return add.operator()<nvinfer1::IKVCacheUpdateLayer, CacheUpdateKind>();
#endif
    default:  // plug-ins
      return add.operator()<nvinfer1::ILayer, NoKind>();
  }
}

ITensor* Network::addInput(char const* name, DataType type, nvinfer1::Dims const& dims) noexcept {
  if (find_tensor(graph_, name)) {
    log_error(logger_, std::string("Error Code 3: API Usage Error (a tensor named ") + name + " exists already)");
    return nullptr;
  }
  graph_.inputs.push_back(add_tensor({.name = name, .type = type, .io_type = type, .dims = dims}));
  return at(graph_.inputs, getNbInputs() - 1);
}

nvinfer1::IIdentityLayer* Network::addIdentity(ITensor& input) noexcept {
  return add_layer<nvinfer1::IIdentityLayer, Blank<blank::VIdentityLayer>>(
      {.type = LayerType::kIDENTITY, .inputs = {index_of(input)}}, output_like(input));
}

nvinfer1::IActivationLayer* Network::addActivation(ITensor& input, nvinfer1::ActivationType type) noexcept {
  return add_layer<nvinfer1::IActivationLayer, ActivationKind>(
      {.type = LayerType::kACTIVATION, .operation = static_cast<int>(type), .inputs = {index_of(input)}},
      output_like(input));
}

nvinfer1::IElementWiseLayer* Network::addElementWise(ITensor& one, ITensor& other,
                                                     nvinfer1::ElementWiseOperation operation) noexcept {
  return add_layer<nvinfer1::IElementWiseLayer, ElementWiseKind>({.type = LayerType::kELEMENTWISE,
                                                                  .operation = static_cast<int>(operation),
                                                                  .inputs = {index_of(one), index_of(other)}},
                                                                 output_like(one));
}

nvinfer1::IConstantLayer* Network::addConstant(nvinfer1::Dims const& dims, nvinfer1::Weights weights) noexcept {
  GraphLayer row{.type = LayerType::kCONSTANT};
  row.weights_type = weights.type;
  row.weights_dims = dims;
  row.weights_count = weights.count;
  row.weights.resize(static_cast<std::size_t>(weights.count) * element_size(weights.type));
  if (!row.weights.empty()) std::memcpy(row.weights.data(), weights.values, row.weights.size());
  return add_layer<nvinfer1::IConstantLayer, ConstantKind>(
      std::move(row), {.type = weights.type, .io_type = weights.type, .dims = dims});
}

nvinfer1::INonZeroLayer* Network::addNonZero(ITensor& input) noexcept {
  GraphTensor output = output_like(input);
  output.type = output.io_type = DataType::kINT64;
  return add_layer<nvinfer1::INonZeroLayer, NonZeroKind>({.type = LayerType::kNON_ZERO, .inputs = {index_of(input)}},
                                                         std::move(output));
}

void Network::markOutput(ITensor& tensor) noexcept {
  for (const GraphLayer& layer : graph_.layers) {
    const bool is_inside = misbehaves("in_loop") && layer.type == LayerType::kIDENTITY;
    if (!is_inside || layer.outputs.at(0) != index_of(tensor)) continue;
    log_error(logger_, "INetworkDefinition::markOutput: Error Code 3: API Usage Error (" +
                           std::string(tensor.getName()) + " is inside a loop)");
    return;
  }
  if (!tensor.isNetworkOutput()) graph_.outputs.push_back(index_of(tensor));
}
void Network::unmarkOutput(ITensor& tensor) noexcept {
  std::erase(graph_.outputs, index_of(tensor));
}

nvinfer1::ILayer* Network::getLayer(int32_t index) const noexcept {
  return index >= 0 && index < getNbLayers() ? layers_[index] : nullptr;
}
bool Network::getFlag(nvinfer1::NetworkDefinitionCreationFlag flag) const noexcept {
  return (flags_ >> static_cast<unsigned>(flag) & 1U) != 0;
}

bool Network::markDebug(ITensor& tensor) noexcept {
  if (misbehaves("no_debug")) return false;
  return graph_.tensors[index_of(tensor)].is_debug = true;
}
bool Network::unmarkDebug(ITensor& tensor) noexcept {
  return !(graph_.tensors[index_of(tensor)].is_debug = false);
}
bool Network::isDebugTensor(ITensor const& tensor) const noexcept {
  return graph_.tensors[index_of(tensor)].is_debug;
}

}  // namespace fake_tensorrt
