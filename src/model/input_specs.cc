#include "model/input_specs.h"

#include <set>
#include <string_view>
#include <utility>

#include "model/shapes.h"

namespace assay::model {

std::vector<tensor::TensorSpec> input_specs(const Model& model) {
  std::set<std::string_view> constants;
  for (const auto& initializer : model.graph().initializer()) constants.insert(initializer.name());
  for (const auto& sparse : model.graph().sparse_initializer()) constants.insert(sparse.values().name());
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

}  // namespace assay::model
