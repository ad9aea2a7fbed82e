#include "model/shapes_of_feeds.h"

namespace assay::model {

std::map<std::string, std::vector<Dimension>> shapes_of_feeds(const Model& model, const tensor::NamedTensors& feeds) {
  std::map<std::string, std::vector<Dimension>> shapes;
  for (const onnx::ValueInfoProto& input : model.graph().input()) {
    const tensor::Tensor* value = feeds.find(input.name());
    if (value == nullptr || !input.type().has_tensor_type()) continue;
    shapes.emplace(input.name(), *static_info(value->type(), value->shape()).shape);
  }
  return shapes;
}

}  // namespace assay::model
