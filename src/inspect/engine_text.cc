#include "inspect/engine_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/strings.h"
#include "stats/summary_text.h"
#include "tensor/tensor.h"

namespace assay::inspect {
namespace {

using tensorrt::EngineAttribute;
using tensorrt::EngineBinding;
using tensorrt::EngineLayer;
using tensorrt::EngineProfile;
using tensorrt::EngineTensor;

// Replaces the control characters that TensorRT puts into names and metadata.
std::string printable(std::string_view text) {
  std::string shown(text);
  std::ranges::replace_if(
      shown, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  return shown;
}

std::string attribute_text(const EngineAttribute& attribute) {
  const auto value = nlohmann::json::parse(attribute.value, nullptr, false);
  return printable(attribute.name) + " = " + printable(value.is_string() ? value.get<std::string>() : attribute.value);
}

std::string tensor_text(const EngineTensor& tensor, bool attributes) {
  std::vector<std::string> parts = {"dtype=" + (tensor.type.empty() ? "?" : tensor.type)};
  if (tensor.shape) parts.push_back("shape=" + tensor::format_shape(*tensor.shape));
  if (tensor.range) {
    parts.push_back("min=" + stats::format_number(tensor.range->least));
    parts.push_back("max=" + stats::format_number(tensor.range->greatest));
    parts.push_back("mean=" + stats::format_number(tensor.range->mean));
  }
  if (attributes && !tensor.format.empty()) parts.push_back("format=" + printable(tensor.format));
  if (attributes && !tensor.location.empty()) parts.push_back("location=" + printable(tensor.location));
  for (const EngineAttribute& attribute : tensor.attributes) {
    if (attributes) parts.push_back(attribute_text(attribute));
  }
  const bool unknown = parts.size() == 1 && tensor.type.empty();
  return printable(tensor.name) + (unknown ? "" : " [" + base::join(parts, ", ") + "]");
}

std::string tensor_text(const EngineBinding& binding, bool attributes) {
  std::string text = tensor_text(binding.tensor, attributes);
  if (!binding.range) return text;
  return text + fmt::format(" from {} to {}, optimised for {}", tensor::format_shape(binding.range->min),
                            tensor::format_shape(binding.range->max), tensor::format_shape(binding.range->opt));
}

// Returns one tensor per line, in braces. All lines but the first are indented by `columns`.
template <class Tensors>
std::string tensors_text(const Tensors& tensors, bool attributes, std::size_t columns) {
  std::vector<std::string> lines;
  for (const auto& tensor : tensors) lines.push_back(tensor_text(tensor, attributes));
  return "{" + base::join(lines, ",\n" + std::string(columns + 1, ' ')) + "}";
}

std::vector<std::string> attribute_lines(const EngineLayer& layer) {
  std::vector<std::string> lines;
  const auto add = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) lines.push_back(fmt::format("{} = {}", name, printable(value)));
  };
  add("TacticName", layer.tactic_name);
  add("TacticValue", layer.tactic_value);
  if (layer.weights) {
    add("Weights", fmt::format("{} x {}", layer.weights->count, layer.weights->type));
    for (const EngineAttribute& attribute : layer.weights->attributes) {
      lines.push_back("Weights." + attribute_text(attribute));
    }
  }
  if (!layer.constants.empty()) lines.push_back("Constants = " + tensors_text(layer.constants, true, 16));
  if (layer.onnx_nodes.empty()) add("Metadata", layer.metadata);
  for (const EngineAttribute& attribute : layer.attributes) lines.push_back(attribute_text(attribute));
  return lines;
}

std::string layer_text(const EngineLayer& layer, std::size_t index, const DescribeOptions& options) {
  std::string text = fmt::format("Layer {:<4} | {}", index, printable(layer.name));
  if (layer.type.empty()) return text;
  text += fmt::format(" [Op: {}]\n    {}", printable(layer.type), tensors_text(layer.inputs, options.attributes, 4));
  text += fmt::format("{}-> {}", layer.inputs.empty() ? " " : "\n     ",
                      tensors_text(layer.outputs, options.attributes, layer.inputs.empty() ? 10 : 8));
  for (const std::string& node : layer.onnx_nodes) text += "\n    ONNX node: " + printable(node);
  if (!options.attributes) return text;
  const std::vector<std::string> lines = attribute_lines(layer);
  if (!lines.empty()) text += "\n    ---- Attributes ----\n    " + base::join(lines, "\n    ");
  return text;
}

std::string layers_text(const std::vector<EngineLayer>& layers, const DescribeOptions& options) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < layers.size(); ++i) texts.push_back(layer_text(layers[i], i, options));
  // Layers of which only the names are known take a line each.
  const bool detailed = !std::ranges::all_of(layers, &std::string::empty, &EngineLayer::type);
  return base::join(texts, detailed ? "\n\n" : "\n");
}

// Returns the number of layers of each type, the most frequent first.
std::string types_text(const std::vector<EngineLayer>& layers) {
  std::map<std::string, std::size_t> counts;
  for (const EngineLayer& layer : layers) ++counts[layer.type];
  counts.erase("");
  std::vector<std::pair<std::string, std::size_t>> sorted(counts.begin(), counts.end());
  std::ranges::stable_sort(sorted, std::ranges::greater(), &std::pair<std::string, std::size_t>::second);
  std::vector<std::string> lines;
  for (const auto& [type, count] : sorted) lines.push_back(fmt::format("{}: {}", printable(type), count));
  return base::join(lines, "\n");
}

std::string section(std::string_view title, std::size_t count, const std::string& body) {
  return fmt::format("---- {} ({}) ----{}{}", title, count, body.empty() ? "" : "\n", body);
}

// Returns nothing if the profile has no such binding. Old files have none at all.
std::string bindings_text(std::string_view title, const EngineProfile& profile, EngineBinding::Direction direction,
                          const DescribeOptions& options) {
  std::vector<EngineBinding> tensors;
  for (const EngineBinding& binding : profile.bindings) {
    if (binding.direction == direction) tensors.push_back(binding);
  }
  if (tensors.empty()) return "";
  return "\n\n" + section(title, tensors.size(), tensors_text(tensors, options.attributes, 0));
}

std::string profile_text(const EngineProfile& profile, const DescribeOptions& options) {
  using enum EngineBinding::Direction;
  std::string text = bindings_text("Inputs", profile, input, options);
  text += bindings_text("Outputs", profile, output, options);
  text += bindings_text("Bindings that no layer mentions", profile, unknown, options);
  const std::string body = options.layers ? layers_text(profile.layers, options) : types_text(profile.layers);
  return text + "\n\n" + section("Layers", profile.layers.size(), body);
}

}  // namespace

std::string engine_text(const tensorrt::EngineInfo& engine, const DescribeOptions& options) {
  std::size_t layers = 0;
  std::size_t bindings = 0;
  for (const EngineProfile& profile : engine.profiles) {
    layers += profile.layers.size();
    bindings += profile.bindings.size();
  }
  std::string text = fmt::format("==== TensorRT engine ====\nLayers: {} | Profiles: {} | Bindings: {}", layers,
                                 engine.profiles.size(), bindings);
  if (engine.names_only || layers == 0) {
    text += fmt::format("\nThe file has {}. Build the engine with `trtexec --profilingVerbosity=detailed` to see more",
                        layers == 0 ? "no layers" : "only the names of the layers");
  }
  if (options.attributes) {
    for (const EngineAttribute& attribute : engine.attributes) text += "\n" + attribute_text(attribute);
  }
  for (const EngineProfile& profile : engine.profiles) {
    if (engine.profiles.size() > 1) text += fmt::format("\n\n==== Profile {} ====", profile.index);
    text += profile_text(profile, options);
  }
  return text;
}

}  // namespace assay::inspect
