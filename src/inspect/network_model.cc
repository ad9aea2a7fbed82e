#include "inspect/network_model.h"

#include <onnx/defs/attr_proto_util.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "model/external_data.h"
#include "tensor/element_type.h"

namespace assay::inspect {
namespace {

using tensorrt::NetworkAttribute;
using tensorrt::NetworkLayer;
using tensorrt::NetworkTensor;
using tensorrt::NetworkWeights;

constexpr const char* kProducer = "TensorRT network";
constexpr const char* kLocation = "weights";

tensor::ElementType type_of(const std::string& name) {
  return tensor::parse_element_type(name).value_or(tensor::ElementType::undefined);
}

onnx::ValueInfoProto value_info(const NetworkTensor& tensor) {
  onnx::ValueInfoProto info;
  info.set_name(tensor.name);
  onnx::TypeProto::Tensor& type = *info.mutable_type()->mutable_tensor_type();
  type.set_elem_type(static_cast<int>(type_of(tensor.type)));
  if (!tensor.known_rank) return info;
  onnx::TensorShapeProto& shape = *type.mutable_shape();
  for (const std::int64_t size : tensor.shape) {
    onnx::TensorShapeProto::Dimension& dimension = *shape.add_dim();
    if (size >= 0) dimension.set_dim_value(size);
  }
  return info;
}

void add_attribute(const NetworkAttribute& from, onnx::NodeProto& node) {
  using nlohmann::json;
  const json value = json::parse(from.value, nullptr, false);
  const auto make = [&](auto content) { return onnx::MakeAttribute(from.name, std::move(content)); };
  const auto attribute = [&] {
    if (value.is_boolean()) return make(value.get<bool>() ? 1 : 0);
    if (value.is_number_integer()) return make(value.get<std::int64_t>());
    if (value.is_number()) return make(value.get<float>());
    const bool is_list = value.is_array();
    if (is_list && std::ranges::all_of(value, [](const json& number) { return number.is_number_integer(); })) {
      return make(value.get<std::vector<std::int64_t>>());
    }
    if (is_list && std::ranges::all_of(value, [](const json& number) { return number.is_number(); })) {
      return make(value.get<std::vector<float>>());
    }
    return make(value.is_string() ? value.get<std::string>() : from.value);
  };
  *node.add_attribute() = attribute();
}

void add_weights(const NetworkWeights& weights, onnx::NodeProto& node) {
  onnx::AttributeProto& attribute = *node.add_attribute();
  attribute.set_name(weights.name);
  attribute.set_type(onnx::AttributeProto::TENSOR);
  onnx::TensorProto& tensor = *attribute.mutable_t();
  const tensor::ElementType type = type_of(weights.type);
  tensor.set_data_type(static_cast<int>(type));
  std::uint64_t count = 1;
  for (const std::int64_t size : weights.shape) {
    tensor.add_dims(size);
    count *= static_cast<std::uint64_t>(std::max<std::int64_t>(size, 0));
  }
  model::set_external_data(
      tensor,
      {.location = kLocation, .offset = weights.offset, .length = tensor::byte_size(type, count), .inline_form = {}});
}

class Writer {
 public:
  explicit Writer(const tensorrt::NetworkInfo& network) {
    proto_.set_ir_version(onnx::Version::IR_VERSION);
    proto_.set_producer_name(kProducer);
    if (network.strongly_typed) proto_.set_domain(kStronglyTyped);
    graph_.set_name(network.name);
    for (const NetworkTensor& tensor : network.inputs) *graph_.add_input() = value_info(tensor);
    for (const NetworkTensor& tensor : network.outputs) {
      *graph_.add_output() = value_info(tensor);
      declared_.insert(tensor.name);
    }
    for (const NetworkLayer& layer : network.constants) add_layer(layer);
    for (const NetworkLayer& layer : network.layers) add_layer(layer);
  }

  onnx::ModelProto take() { return std::move(proto_); }

 private:
  void add_layer(const NetworkLayer& layer) {
    onnx::NodeProto& node = *graph_.add_node();
    node.set_name(layer.name);
    node.set_op_type(layer.kind);
    for (const std::string& input : layer.inputs) node.add_input(input);
    for (const NetworkTensor& output : layer.outputs) {
      node.add_output(output.name);
      if (declared_.insert(output.name).second) *graph_.add_value_info() = value_info(output);
    }
    for (const NetworkAttribute& attribute : layer.attributes) add_attribute(attribute, node);
    for (const NetworkWeights& weights : layer.weights) add_weights(weights, node);
  }

  onnx::ModelProto proto_;
  onnx::GraphProto& graph_ = *proto_.mutable_graph();
  std::unordered_set<std::string> declared_;
};

}  // namespace

model::Model network_model(const tensorrt::NetworkInfo& network, std::shared_ptr<const base::MappedFile> weights) {
  model::Model model;
  model.proto = Writer(network).take();
  model.weights_ignored = weights == nullptr;
  if (weights != nullptr) {
    model.files = std::make_shared<const model::WeightFiles>(model::WeightFiles{{kLocation, std::move(weights)}});
  }
  return model;
}

bool is_network_model(const onnx::ModelProto& model) {
  return model.producer_name() == kProducer && model.opset_import_size() == 0;
}

}  // namespace assay::inspect
