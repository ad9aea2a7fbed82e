#include "model/dependencies.h"

namespace assay::model {

std::vector<bool> needed_nodes(const GraphView& view) {
  std::vector<TensorId> outputs;
  for (const onnx::ValueInfoProto& output : view.graph().output()) outputs.push_back(view.find(output.name()));
  return needed_nodes(view, outputs, [](TensorId) { return false; });
}

std::vector<bool> computed_from(const GraphView& view, std::vector<TensorId> tensors) {
  std::vector<bool> computed(base::at(view.tensor_count()), false);
  while (!tensors.empty()) {
    const TensorId tensor = tensors.back();
    tensors.pop_back();
    if (tensor == kNone || computed[base::at(tensor)]) continue;
    computed[base::at(tensor)] = true;
    for (const NodeId reader : view.consumers(tensor)) {
      tensors.insert(tensors.end(), view.outputs(reader).begin(), view.outputs(reader).end());
    }
  }
  return computed;
}

}  // namespace assay::model
