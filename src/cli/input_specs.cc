#include "cli/input_specs.h"

#include <set>
#include <string_view>
#include <utility>

#include "model/shapes.h"

namespace assay::cli {

std::vector<tensor::TensorSpec> input_specs(const model::Model& model) {
  std::set<std::string_view> constants;
  for (const auto& initializer : model.graph().initializer()) constants.insert(initializer.name());
  for (const auto& sparse : model.graph().sparse_initializer()) constants.insert(sparse.values().name());
  std::vector<tensor::TensorSpec> specs;
  for (const onnx::ValueInfoProto& input : model.graph().input()) {
    if (constants.contains(input.name())) continue;
    const model::TensorInfo info = model::tensor_info(input);
    tensor::TensorSpec spec{.name = input.name(), .type = info.type, .shape = {}};
    for (const model::Dimension& size : info.shape.value_or(std::vector<model::Dimension>{})) {
      spec.shape.push_back(size.value);
    }
    specs.push_back(std::move(spec));
  }
  return specs;
}

}  // namespace assay::cli
