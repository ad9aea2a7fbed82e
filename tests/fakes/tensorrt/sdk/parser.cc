#include "parser.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <optional>
#include <string_view>
#include <utility>

#include "dims.h"
#include "misbehave.h"
#include "onnx_values.h"
#include "operator_network.h"

namespace fake_tensorrt {
namespace {

using nvinfer1::DataType;
using nvinfer1::ITensor;
using nvonnxparser::ErrorCode;

constexpr std::array<std::string_view, 5> kOperators = {"Identity", "Relu", "Add", "NonZero", "Constant"};

constexpr int kFlags = 1;  // of the parser of TensorRT 10.0

// TensorRT's parser, too, names the layer of a node without a name after its first output. Its errors don't.
std::string name_of_layer(const OnnxNode& node) {
  if (!node.name.empty() || node.outputs.empty()) return node.name;
  return "node_of_" + node.outputs[0];
}

// Returns the value with which ConstantOfShape fills.
double first_number(const OnnxTensor& tensor) {
  const auto read = [&]<class T>(T number) {
    if (tensor.bytes.size() >= sizeof number) std::memcpy(&number, tensor.bytes.data(), sizeof number);
    return static_cast<double>(number);
  };
  constexpr int kFloat = 1;
  constexpr int kInt32 = 6;
  constexpr int kInt64 = 7;
  if (tensor.type == kFloat) return read(0.0F);
  if (tensor.type == kInt32) return read(std::int32_t{0});
  return tensor.type == kInt64 ? read(std::int64_t{0}) : read(std::uint8_t{0});
}

}  // namespace

ParserError::ParserError(ErrorCode code, std::string text, int node, const OnnxNode& about)
    : code_(code), text_(std::move(text)), node_(node), name_(about.name), op_type_(about.op_type) {}

bool Parser::fail(ErrorCode code, const std::string& text, int node, const OnnxNode& about) {
  errors_.emplace_back(code, text, node, about);
  const std::string where =
      node < 0 ? "" : "node " + std::to_string(node) + " (" + about.name + ", " + about.op_type + "): ";
  log_error(logger_, "parser: " + where + "[" + std::to_string(static_cast<int>(code)) + "] " + text);
  return false;
}

nvonnxparser::IParserError const* Parser::getError(int index) const noexcept {
  return index >= 0 && index < getNbErrors() ? &errors_[index] : nullptr;
}

char const* const* Parser::getUsedVCPluginLibraries(int64_t& count) const noexcept {
  static const char* const library = "libfake_vc_plugin.so";
  const bool has_any = std::any_of(model_.nodes.begin(), model_.nodes.end(),
                                   [](const OnnxNode& node) { return node.op_type == "FakePlugin"; });
  count = has_any ? 1 : 0;
  return has_any ? &library : nullptr;
}

void Parser::setFlag(nvonnxparser::OnnxParserFlag flag) noexcept {
  crash_if_unknown("OnnxParserFlag", static_cast<int>(flag), kFlags);
  flags_ |= 1U << static_cast<unsigned>(flag);
}

void Parser::clearFlag(nvonnxparser::OnnxParserFlag flag) noexcept {
  crash_if_unknown("OnnxParserFlag", static_cast<int>(flag), kFlags);
  flags_ &= ~(1U << static_cast<unsigned>(flag));
}

bool Parser::getFlag(nvonnxparser::OnnxParserFlag flag) const noexcept {
  return (flags_ >> static_cast<unsigned>(flag) & 1U) != 0;
}

bool Parser::supportsOperator(char const* name) const noexcept {
  for (const std::string_view known : kOperators) {
    if (known == name) return true;
  }
  return operator_network(network_).knows_operator(name);
}

bool Parser::parseFromFile(char const* path, int) noexcept {
  const std::string bytes = read_file(path);
  if (bytes.empty()) return fail(ErrorCode::kMODEL_DESERIALIZE_FAILED, std::string("can't read ") + path);
  return parse(bytes.data(), bytes.size(), path);
}

bool Parser::parse(void const* model, size_t size, char const* path) noexcept {
  auto read = read_onnx_model({static_cast<const char*>(model), size});
  if (!read) return fail(ErrorCode::kMODEL_DESERIALIZE_FAILED, "failed to parse the ONNX model");
  model_ = std::move(*read);
  folder_ = path == nullptr ? "" : std::filesystem::path(path).parent_path();
  network_.setName(model_.graph_name.c_str());
  if (!check_operators() || !add_inputs()) return false;
  for (int node = 0; node < static_cast<int>(model_.nodes.size()); ++node) {
    const int first = network_.getNbLayers();
    if (!add_node(node) || !check_dla(node, first)) return false;
  }
  return mark_outputs();
}

// Reports all nodes that the parser can't import, not only the first one.
bool Parser::check_operators() {
  bool all_known = true;
  for (int index = 0; index < static_cast<int>(model_.nodes.size()); ++index) {
    const OnnxNode& node = model_.nodes[index];
    const bool is_standard = node.domain.empty() || node.domain == "ai.onnx";
    if (is_standard && supportsOperator(node.op_type.c_str())) continue;
    // Conditions of assertions, as TensorRT 10.6 and 10.15 say them.
    if (!is_standard) {
      constexpr const char* kText =
          "creator && \"Plugin not found, are the plugin name, version, and namespace correct?\"";
      all_known = fail(ErrorCode::kINVALID_NODE, kText, index, node);
      continue;
    }
    const std::string text = node.op_type == "Det" ? "false" : "no importer registered for op: " + node.op_type;
    all_known = fail(ErrorCode::kUNSUPPORTED_NODE, text, index, node);
  }
  return all_known;
}

// As in TensorRT, no group has the node of the last error, or a node that is left to another engine because the size of
// its output depends on data. A group is only known to be supported if it is the whole model.
bool Parser::supportsModelV2(void const* model, size_t size, char const* path) noexcept {
  bool supported = parse(model, size, path);
  const int error_node = errors_.empty() ? -1 : errors_.back().node();
  groups_.clear();
  bool begins = true;
  for (int index = 0; index < static_cast<int>(model_.nodes.size()); ++index) {
    const bool is_left_out = index == error_node || model_.nodes[index].op_type == "NonZero";
    if (!is_left_out && begins) groups_.emplace_back();
    if (!is_left_out) groups_.back().nodes.push_back(index);
    begins = is_left_out;
    supported = supported && !is_left_out;
  }
  if (supported && !groups_.empty()) groups_.back().supported = true;
  return supported;
}

int64_t* Parser::getSubgraphNodes(int64_t const index, int64_t& length) noexcept {
  Group& group = groups_.at(index);
  length = static_cast<int64_t>(group.nodes.size());
  return group.nodes.data();
}

bool Parser::add_inputs() {
  for (const OnnxValueInfo& input : model_.inputs) {
    const auto type = type_of(input.type);
    if (!type) return fail(ErrorCode::kUNSUPPORTED_GRAPH, "the type of input " + input.name + " isn't supported");
    ITensor* tensor = network_.addInput(input.name.c_str(), *type, make_dims(input.dims));
    if (tensor == nullptr) return fail(ErrorCode::kINVALID_GRAPH, "input " + input.name + " can't be added");
    tensors_[input.name] = tensor;
  }
  return true;
}

ITensor* Parser::find(const std::string& name) {
  if (const auto found = tensors_.find(name); found != tensors_.end()) return found->second;
  for (const OnnxTensor& tensor : model_.initializers) {
    if (tensor.name == name) return tensors_[name] = add_constant(tensor);
  }
  return nullptr;
}

ITensor* Parser::add_constant(const OnnxTensor& tensor) {
  const auto type = type_of(tensor.type);
  const nvinfer1::Dims dims = make_dims(tensor.dims);
  const std::int64_t count = volume(dims);
  std::string bytes = elements_of(tensor, folder_);
  if (!type || bytes.size() != static_cast<std::size_t>(count) * element_size(*type)) {
    fail(ErrorCode::kINVALID_GRAPH, "the values of initializer " + tensor.name + " can't be read");
    return nullptr;
  }
  const std::string& kept = weights_.emplace_back(std::move(bytes));
  nvinfer1::IConstantLayer* layer = network_.addConstant(dims, {*type, kept.data(), count});
  layer->setName(tensor.name.c_str());
  layer->setMetadata(("[ONNX Layer: " + tensor.name + "]").c_str());
  layer->getOutput(0)->setName(tensor.name.c_str());
  return layer->getOutput(0);
}

nvinfer1::ILayer* Parser::add_operator(const OnnxNode& node, const std::vector<ITensor*>& inputs) {
  if (node.auto_pad != "NOTSET" && node.auto_pad != "VALID") return nullptr;
  auto attributes = node.attributes;
  attributes["opset"] = {static_cast<double>(model_.opset)};
  if (node.op_type == "Cast") {
    const auto to = attributes.find("to");
    const auto type = to == attributes.end() ? std::nullopt : type_of(static_cast<int>(to->second.at(0)));
    if (!type) return nullptr;
    attributes["type"] = {static_cast<double>(*type)};
  }
  if (node.op_type == "ConstantOfShape") {
    const auto type = node.value ? type_of(node.value->type) : DataType::kFLOAT;
    if (!type) return nullptr;
    attributes["type"] = {static_cast<double>(*type)};
    if (node.value) attributes["value"] = {first_number(*node.value)};
  }
  return operator_network(network_).add_operator(node.op_type.c_str(), attributes, inputs);
}

nvinfer1::ILayer* Parser::add_layer(const OnnxNode& node, const std::vector<ITensor*>& inputs) {
  if (node.op_type != "Identity" && node.op_type != "Relu" && node.op_type != "Add" && node.op_type != "NonZero") {
    return add_operator(node, inputs);
  }
  const std::size_t wanted = node.op_type == "Add" ? 2 : 1;
  if (inputs.size() != wanted) return nullptr;
  const DataType type = inputs[0]->getType();
  if (node.op_type == "Identity") return network_.addIdentity(*inputs[0]);
  if (node.op_type == "Add") {
    const bool is_known =
        type == DataType::kFLOAT || type == DataType::kHALF || type == DataType::kINT32 || type == DataType::kINT64;
    if (!is_known || inputs[1]->getType() != type) return nullptr;
    return network_.addElementWise(*inputs[0], *inputs[1], nvinfer1::ElementWiseOperation::kSUM);
  }
  if (type == DataType::kHALF && node.op_type == "Relu") return add_operator(node, inputs);
  if (type != DataType::kFLOAT) return nullptr;
  if (node.op_type == "Relu") return network_.addActivation(*inputs[0], nvinfer1::ActivationType::kRELU);
  return network_.addNonZero(*inputs[0]);
}

bool Parser::add_node(int index) {
  const OnnxNode& node = model_.nodes[index];
  if (node.op_type == "Constant" && node.value) {
    OnnxTensor value = *node.value;
    value.name = node.outputs.at(0);
    tensors_[value.name] = add_constant(value);
    return tensors_[value.name] != nullptr;
  }
  std::vector<ITensor*> inputs;
  for (const std::string& name : node.inputs) {
    ITensor* input = find(name);
    if (input == nullptr)
      return fail(ErrorCode::kINVALID_NODE, "nothing computes its input '" + name + "'", index, node);
    inputs.push_back(input);
  }
  nvinfer1::ILayer* layer = nullptr;
  try {
    layer = add_layer(node, inputs);
  } catch (const std::exception&) {
    // Its inputs aren't what ONNX wants.
  }
  if (layer == nullptr) {
    return fail(ErrorCode::kUNSUPPORTED_NODE_INPUT, "its inputs have types or shapes that aren't supported", index,
                node);
  }
  layer->setName(name_of_layer(node).c_str());
  layer->setMetadata(("[ONNX Layer: " + name_of_layer(node) + "]").c_str());
  layer->getOutput(0)->setName(node.outputs.at(0).c_str());
  tensors_[node.outputs[0]] = layer->getOutput(0);
  return true;
}

#ifdef FAKE_HAS_IParser_setBuilderConfig
bool Parser::setBuilderConfig(const nvinfer1::IBuilderConfig* const config) noexcept {
  crash_if_too_old("IParser::setBuilderConfig");
  config_ = config;
  if (misbehaves("show_config")) log_warning(logger_, "parser: has a builder configuration");
  return config != nullptr;
}

bool Parser::check_dla(int index, int first) {
  if (!getFlag(nvonnxparser::OnnxParserFlag::kREPORT_CAPABILITY_DLA)) return true;
  if (config_ == nullptr) break_rule("IParser::setBuilderConfig wasn't called, and kREPORT_CAPABILITY_DLA is set");
  for (int i = first; i < network_.getNbLayers(); ++i) {
    const nvinfer1::ILayer* layer = network_.getLayer(i);
    if (config_->canRunOnDLA(layer)) continue;
    return fail(ErrorCode::kUNSUPPORTED_NODE, std::string("DLA validation failed for layer: ") + layer->getName(),
                index, model_.nodes[index]);
  }
  return true;
}
#else
bool Parser::check_dla(int, int) {
  return true;
}
#endif

bool Parser::mark_outputs() {
  for (const std::string& name : model_.outputs) {
    ITensor* tensor = find(name);
    if (tensor == nullptr) return fail(ErrorCode::kINVALID_GRAPH, "nothing computes output " + name);
    network_.markOutput(*tensor);
  }
  return true;
}

}  // namespace fake_tensorrt
