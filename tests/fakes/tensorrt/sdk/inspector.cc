#include "inspector.h"

#include <nlohmann/json.hpp>
#include <string_view>

#include "context.h"
#include "dims.h"
#include "misbehave.h"

namespace fake_tensorrt {
namespace {

using nlohmann::ordered_json;
using nvinfer1::LayerInformationFormat;
using nvinfer1::ProfilingVerbosity;

// `shapes`: those of all tensors, in which -1 is a size that isn't known.
ordered_json describe(const Graph& graph, const std::vector<nvinfer1::Dims>& shapes, const std::vector<int>& tensors) {
  ordered_json rows = ordered_json::array();
  for (const int index : tensors) {
    const GraphTensor& tensor = graph.tensors[index];
    const std::string format = is_known(shapes[index]) ? name_of(tensor.type).substr(1) : "N/A due to dynamic shapes";
    rows.push_back({{"Name", tensor.name},
                    {"Location", "Device"},
                    {"Dimensions", sizes_of(shapes[index])},
                    {"Format/Datatype", format}});
  }
  return rows;
}

// Returns null if the engine was built without such information.
ordered_json describe(const Plan& plan, const std::vector<nvinfer1::Dims>& shapes, int layer) {
  const GraphLayer& row = plan.graph.layers[layer];
  if (plan.verbosity == ProfilingVerbosity::kNONE) return nullptr;
  if (plan.verbosity == ProfilingVerbosity::kLAYER_NAMES_ONLY) return row.name;
  std::string name = row.name;
  std::string metadata = row.metadata;
  std::vector<int> inputs = row.inputs;
  for (auto before = fused_before(plan.graph, layer); before; before = fused_before(plan.graph, *before)) {
    const GraphLayer& fused = plan.graph.layers[*before];
    name = fused.name + " + " + name;
    metadata = fused.metadata + "\x1e" + metadata;
    std::erase(inputs, fused.outputs[0]);
    inputs.insert(inputs.begin(), fused.inputs.begin(), fused.inputs.end());
  }
  return {{"Name", name},
          {"LayerType", name_of(row.type).substr(1)},
          {"Inputs", describe(plan.graph, shapes, inputs)},
          {"Outputs", describe(plan.graph, shapes, row.outputs)},
          {"TacticName", "fake"},
          {"StreamId", 0},
          {"Metadata", metadata}};
}

bool is_fused_into_another(const Graph& graph, int layer) {
  for (int after = layer + 1; after < static_cast<int>(graph.layers.size()); ++after) {
    if (fused_before(graph, after) == layer) return true;
  }
  return false;
}

std::string one_line(const Plan& plan, const std::vector<nvinfer1::Dims>& shapes, int layer) {
  const ordered_json row = describe(plan, shapes, layer);
  if (row.is_null()) return "\n";
  return (row.is_string() ? row.get<std::string>() : row.dump()) + "\n";
}

}  // namespace

bool Inspector::setExecutionContext(nvinfer1::IExecutionContext const* context) noexcept {
  context_ = context;
  return true;
}

std::vector<nvinfer1::Dims> Inspector::shapes() const {
  if (context_ != nullptr) return implementation_of<Context>(*context_).shapes();
  std::vector<nvinfer1::Dims> shapes;
  for (const GraphTensor& tensor : plan_.graph.tensors) shapes.push_back(tensor.dims);
  return shapes;
}

char const* Inspector::getLayerInformation(int32_t layer, LayerInformationFormat format) const noexcept {
  if (layer < 0 || layer >= static_cast<int32_t>(plan_.graph.layers.size())) return nullptr;
  text_ = format == LayerInformationFormat::kJSON ? describe(plan_, shapes(), layer).dump()
                                                  : one_line(plan_, shapes(), layer);
  return text_.c_str();
}

char const* Inspector::getEngineInformation(LayerInformationFormat format) const noexcept {
  ordered_json layers = ordered_json::array();
  std::string lines;
  for (int layer = 0; layer < static_cast<int>(plan_.graph.layers.size()); ++layer) {
    if (is_fused_into_another(plan_.graph, layer)) continue;
    lines += one_line(plan_, shapes(), layer);
    if (plan_.verbosity != ProfilingVerbosity::kNONE) layers.push_back(describe(plan_, shapes(), layer));
  }
  ordered_json bindings = ordered_json::array();
  for (const auto* border : {&plan_.graph.inputs, &plan_.graph.outputs}) {
    for (const int index : *border) bindings.push_back(plan_.graph.tensors[index].name);
  }
  text_ =
      format == LayerInformationFormat::kJSON ? ordered_json{{"Layers", layers}, {"Bindings", bindings}}.dump() : lines;
  constexpr std::string_view kEscaped = "\\u001e";
  for (std::size_t at = 0; misbehaves("raw_metadata") && (at = text_.find(kEscaped, at)) != std::string::npos;) {
    text_.replace(at, kEscaped.size(), "\x1e");
  }
  return text_.c_str();
}

}  // namespace fake_tensorrt
