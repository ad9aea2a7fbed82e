// The network definition, its tensors and its layers. They are views of a Graph.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "graph.h"
#include "handle.h"
#include "infer_stubs.h"
#include "known.h"
#include "operator_network.h"
#include "plugin_registry.h"

namespace fake_tensorrt {

class Network;

class Tensor final : public nvinfer1::apiv::stubs::VTensor {
 public:
  // `is_strict`: types can't be changed, as the network is strongly typed.
  Tensor(Graph& graph, int index, nvinfer1::ILogger& logger, bool is_strict)
      : graph_(graph), index_(index), logger_(logger), is_strict_(is_strict) {}
  [[nodiscard]] int index() const { return index_; }

  void setName(char const* name) noexcept override { row().name = name; }
  char const* getName() const noexcept override { return row().name.c_str(); }
  void setDimensions(nvinfer1::Dims const& dimensions) noexcept override { row().dims = dimensions; }
  nvinfer1::Dims getDimensions() const noexcept override { return row().dims; }
#if NV_TENSORRT_MAJOR < 11
  void setType(nvinfer1::DataType type) noexcept override;
#endif
  nvinfer1::DataType getType() const noexcept override { return row().io_type; }
  bool isNetworkInput() const noexcept override { return is_input(graph_, index_); }
  bool isNetworkOutput() const noexcept override { return is_output(graph_, index_); }
  nvinfer1::TensorLocation getLocation() const noexcept override { return nvinfer1::TensorLocation::kDEVICE; }
  void setAllowedFormats(nvinfer1::TensorFormats formats) noexcept override;
  nvinfer1::TensorFormats getAllowedFormats() const noexcept override;
  bool isShapeTensor() const noexcept override;
  bool isExecutionTensor() const noexcept override { return true; }

 private:
  [[nodiscard]] GraphTensor& row() const { return graph_.tensors[index_]; }
  Graph& graph_;
  int index_;
  nvinfer1::ILogger& logger_;
  bool is_strict_;
};

class Layer final : public nvinfer1::apiv::stubs::VLayer {
 public:
  Layer(Network& network, int index) : network_(network), index_(index) {}

  nvinfer1::LayerType getType() const noexcept override { return row().type; }
  void setName(char const* name) noexcept override { row().name = name; }
  char const* getName() const noexcept override { return row().name.c_str(); }
  int32_t getNbInputs() const noexcept override { return static_cast<int32_t>(row().inputs.size()); }
  nvinfer1::ITensor* getInput(int32_t index) const noexcept override;
  int32_t getNbOutputs() const noexcept override { return static_cast<int32_t>(row().outputs.size()); }
  nvinfer1::ITensor* getOutput(int32_t index) const noexcept override;
#if NV_TENSORRT_MAJOR < 11
  void setPrecision(nvinfer1::DataType type) noexcept override;
  nvinfer1::DataType getPrecision() const noexcept override;
  bool precisionIsSet() const noexcept override { return row().precision.has_value(); }
  void resetPrecision() noexcept override { row().precision.reset(); }
  void setOutputType(int32_t index, nvinfer1::DataType type) noexcept override;
#endif
  nvinfer1::DataType getOutputType(int32_t index) const noexcept override;
#if NV_TENSORRT_MAJOR < 11
  bool outputTypeIsSet(int32_t index) const noexcept override;
  void resetOutputType(int32_t index) noexcept override;
#endif
  void setMetadata(char const* text) noexcept override { row().metadata = text; }
  char const* getMetadata() const noexcept override { return row().metadata.c_str(); }

 private:
  [[nodiscard]] GraphLayer& row() const;
  Network& network_;
  int index_;
};

class Network final : public OperatorNetwork {
 public:
  Network(nvinfer1::NetworkDefinitionCreationFlags flags, nvinfer1::ILogger& logger, const PluginRegistry& plugins)
      : flags_(flags), logger_(logger), plugins_(plugins) {}
  [[nodiscard]] nvinfer1::ILogger& logger() const { return logger_; }
  [[nodiscard]] Graph& graph() { return graph_; }
  [[nodiscard]] bool is_strongly_typed() const { return NV_TENSORRT_MAJOR >= 11 || (flags_ & 2U) != 0; }
  // Returns null if there is no such tensor.
  [[nodiscard]] nvinfer1::ITensor* tensor(const std::vector<int>& indices, int32_t position);

  [[nodiscard]] bool knows_operator(const char* op) const override;
  nvinfer1::ILayer* add_operator(const char* op, const std::map<std::string, std::vector<double>>& attributes,
                                 const std::vector<nvinfer1::ITensor*>& inputs) override;
  nvinfer1::ITensor* addInput(char const* name, nvinfer1::DataType type, nvinfer1::Dims const& dims) noexcept override;
  nvinfer1::IIdentityLayer* addIdentity(nvinfer1::ITensor& input) noexcept override;
  nvinfer1::IActivationLayer* addActivation(nvinfer1::ITensor& input, nvinfer1::ActivationType type) noexcept override;
  nvinfer1::IElementWiseLayer* addElementWise(nvinfer1::ITensor& one, nvinfer1::ITensor& other,
                                              nvinfer1::ElementWiseOperation operation) noexcept override;
  nvinfer1::IConstantLayer* addConstant(nvinfer1::Dims const& dims, nvinfer1::Weights weights) noexcept override;
  nvinfer1::INonZeroLayer* addNonZero(nvinfer1::ITensor& input) noexcept override;
  void markOutput(nvinfer1::ITensor& tensor) noexcept override;
  void unmarkOutput(nvinfer1::ITensor& tensor) noexcept override;
  int32_t getNbInputs() const noexcept override { return static_cast<int32_t>(graph_.inputs.size()); }
  nvinfer1::ITensor* getInput(int32_t index) const noexcept override { return at(graph_.inputs, index); }
  int32_t getNbOutputs() const noexcept override { return static_cast<int32_t>(graph_.outputs.size()); }
  nvinfer1::ITensor* getOutput(int32_t index) const noexcept override { return at(graph_.outputs, index); }
  int32_t getNbLayers() const noexcept override { return static_cast<int32_t>(layers_.size()); }
  nvinfer1::ILayer* getLayer(int32_t index) const noexcept override;
  void setName(char const* name) noexcept override { graph_.name = name; }
  char const* getName() const noexcept override { return graph_.name.c_str(); }
  bool hasImplicitBatchDimension() const noexcept override { return false; }
  nvinfer1::NetworkDefinitionCreationFlags getFlags() const noexcept override { return flags_; }
  bool getFlag(nvinfer1::NetworkDefinitionCreationFlag flag) const noexcept override;
  bool markDebug(nvinfer1::ITensor& tensor) noexcept override;
  bool unmarkDebug(nvinfer1::ITensor& tensor) noexcept override;
  bool isDebugTensor(nvinfer1::ITensor const& tensor) const noexcept override;
#ifdef FAKE_HAS_VNetworkDefinition_markUnfusedTensorsAsDebugTensors
  bool markUnfusedTensorsAsDebugTensors() noexcept override;
  bool unmarkUnfusedTensorsAsDebugTensors() noexcept override { return !(graph_.all_debug = false); }
#endif

 private:
  using TensorHandle = Handle<nvinfer1::ITensor, Tensor>;
  [[nodiscard]] nvinfer1::ITensor* at(const std::vector<int>& indices, int32_t position) const;
  int add_tensor(GraphTensor row);
  // Adds a layer with one output. The public object has the class Interface.
  template <class Interface, class Kind>
  Interface* add_layer(GraphLayer row, GraphTensor output);
  void move_input_of_conditional();
  [[nodiscard]] GraphTensor output_like(nvinfer1::ITensor& input) const;

  Graph graph_;
  nvinfer1::NetworkDefinitionCreationFlags flags_;
  nvinfer1::ILogger& logger_;
  const PluginRegistry& plugins_;
  Known known_;
  mutable std::deque<TensorHandle> tensors_;        // one for each in the graph
  std::vector<nvinfer1::ILayer*> layers_;           // one for each in the graph, in an order of their own
  std::vector<std::shared_ptr<void>> layer_owner_;  // of layers_, whose classes have no common public destructor
};

}  // namespace fake_tensorrt
