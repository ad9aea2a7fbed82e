#include "reduce/values/given_values.h"

#include <algorithm>

#include "reduce/values/reference_inputs.h"

namespace assay::reduce {

bool has_inputs(const tensor::NamedTensors& values, const model::Model& model) {
  return std::ranges::all_of(tensor_inputs(model),
                             [&values](const tensor::TensorSpec& input) { return values.find(input.name) != nullptr; });
}

bool has_results(const tensor::NamedTensors& values, const model::Model& model) {
  return std::ranges::any_of(model.graph().node(), [&values](const onnx::NodeProto& node) {
    return std::ranges::any_of(node.output(), [&values](const auto& name) { return values.find(name) != nullptr; });
  });
}

}  // namespace assay::reduce
