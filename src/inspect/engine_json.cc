#include "inspect/engine_json.h"

#include <nlohmann/json.hpp>

#include "base/json_text.h"

namespace assay::inspect {
namespace {

using Json = nlohmann::ordered_json;
using tensorrt::EngineAttribute;
using tensorrt::EngineBinding;
using tensorrt::EngineLayer;
using tensorrt::EngineProfile;
using tensorrt::EngineTensor;

Json attributes_json(const std::vector<EngineAttribute>& attributes) {
  Json object = Json::object();
  for (const EngineAttribute& attribute : attributes) {
    object[attribute.name] = Json::parse(attribute.value, nullptr, false);
  }
  return object;
}

Json tensor_json(const EngineTensor& tensor, const DescribeOptions& options) {
  Json object = {{"name", tensor.name}, {"dtype", nullptr}, {"shape", nullptr}};
  if (!tensor.type.empty()) object["dtype"] = tensor.type;
  if (tensor.shape) object["shape"] = *tensor.shape;
  if (tensor.range) {
    object["values"] = {{"min", tensor.range->least}, {"max", tensor.range->greatest}, {"mean", tensor.range->mean}};
  }
  if (options.attributes) {
    object["format"] = tensor.format;
    object["location"] = tensor.location;
    object["attributes"] = attributes_json(tensor.attributes);
  }
  return object;
}

Json tensors_json(const std::vector<EngineTensor>& tensors, const DescribeOptions& options) {
  Json list = Json::array();
  for (const EngineTensor& tensor : tensors) list.push_back(tensor_json(tensor, options));
  return list;
}

Json binding_json(const EngineBinding& binding, const DescribeOptions& options) {
  using enum EngineBinding::Direction;
  Json object = tensor_json(binding.tensor, options);
  object["direction"] = nullptr;
  if (binding.direction != unknown) object["direction"] = binding.direction == input ? "input" : "output";
  if (binding.range) {
    object["range"] = {{"min", binding.range->min}, {"opt", binding.range->opt}, {"max", binding.range->max}};
  }
  return object;
}

Json layer_json(const EngineLayer& layer, const DescribeOptions& options) {
  Json object = {{"name", layer.name},
                 {"op", layer.type},
                 {"inputs", tensors_json(layer.inputs, options)},
                 {"outputs", tensors_json(layer.outputs, options)},
                 {"onnx_nodes", layer.onnx_nodes}};
  if (!options.attributes) return object;
  object["tactic"] = {{"name", layer.tactic_name}, {"value", layer.tactic_value}};
  object["weights"] = nullptr;
  if (layer.weights) {
    object["weights"] = {{"type", layer.weights->type},
                         {"count", layer.weights->count},
                         {"attributes", attributes_json(layer.weights->attributes)}};
  }
  object["constants"] = tensors_json(layer.constants, options);
  object["metadata"] = layer.metadata;
  object["attributes"] = attributes_json(layer.attributes);
  return object;
}

Json profile_json(const EngineProfile& profile, const DescribeOptions& options) {
  Json bindings = Json::array();
  for (const EngineBinding& binding : profile.bindings) bindings.push_back(binding_json(binding, options));
  Json object = {{"index", profile.index}, {"bindings", std::move(bindings)}, {"layer_count", profile.layers.size()}};
  if (!options.layers) return object;
  Json layers = Json::array();
  for (const EngineLayer& layer : profile.layers) layers.push_back(layer_json(layer, options));
  object["layers"] = std::move(layers);
  return object;
}

}  // namespace

std::string engine_json(const tensorrt::EngineInfo& engine, const DescribeOptions& options) {
  std::size_t count = 0;
  Json profiles = Json::array();
  for (const EngineProfile& profile : engine.profiles) {
    count += profile.layers.size();
    profiles.push_back(profile_json(profile, options));
  }
  Json object = {{"layer_count", count}, {"names_only", engine.names_only}};
  if (options.attributes) object["attributes"] = attributes_json(engine.attributes);
  object["profiles"] = std::move(profiles);
  return base::json_text(object, 2);
}

}  // namespace assay::inspect
