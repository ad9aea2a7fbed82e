#include "model/input_specs.h"

#include <algorithm>
#include <utility>

#include "model/initializers.h"
#include "model/onnx_facts.h"
#include "model/shapes.h"

namespace assay::model {

std::vector<tensor::TensorSpec> input_specs(const Model& model) {
  const auto constants = initializer_names(model.graph());
  std::vector<tensor::TensorSpec> specs;
  for (const onnx::ValueInfoProto& input : model.graph().input()) {
    if (constants.contains(input.name())) continue;
    const TensorInfo info = tensor_info(input);
    tensor::TensorSpec spec{.name = input.name(), .type = info.type, .shape = {}};
    for (const Dimension& size : info.shape.value_or(std::vector<Dimension>{})) {
      spec.shape.push_back(size.value);
    }
    specs.push_back(std::move(spec));
  }
  return specs;
}

std::vector<std::string> inputs_with_values(const onnx::GraphProto& graph) {
  const auto constants = initializer_names(graph);
  std::vector<std::string> names;
  for (const onnx::ValueInfoProto& input : graph.input()) {
    if (constants.contains(input.name())) names.push_back(input.name());
  }
  return names;
}

std::vector<std::string> lost_inputs(std::vector<std::string> before, const onnx::ModelProto& after) {
  if (initializers_are_inputs(after)) return {};
  const auto& inputs = after.graph().input();
  std::erase_if(before, [&](const std::string& name) {
    return std::ranges::find(inputs, name, &onnx::ValueInfoProto::name) != inputs.end();
  });
  return before;
}

}  // namespace assay::model
