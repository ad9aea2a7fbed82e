#include "run/tensor_sizes.h"

#include <map>
#include <unordered_set>

#include "edit/keep_ancestors.h"
#include "edit/rename_tensors.h"
#include "model/inference/infer_shapes.h"
#include "model/inference/tensor_bytes.h"
#include "model/shapes.h"
#include "model/shapes_of_feeds.h"
#include "worker/models/model_source.h"

namespace assay::run {
namespace {

using Infos = std::map<std::string, model::TensorInfo>;

Infos infer(const model::Model& model, const tensor::NamedTensors& inputs) {
  model::Model copy = model;
  model::override_input_shapes(copy, model::shapes_of_feeds(model, inputs));
  if (!model::infer_shapes(copy)) return {};
  return model::known_tensors(copy);
}

const model::TensorInfo* find(const Infos& infos, const std::string& name) {
  const auto at = infos.find(name);
  return at == infos.end() ? nullptr : &at->second;
}

}  // namespace

std::vector<TensorSize> infer_sizes(const model::Model& model, const std::vector<std::string>& tensors,
                                    const tensor::NamedTensors& inputs) {
  const Infos inferred = infer(model, inputs);
  const Infos declared = model::known_tensors(model);
  std::vector<TensorSize> sizes;
  for (const std::string& name : tensors) {
    TensorSize& size = sizes.emplace_back();
    for (const Infos* infos : {&inferred, &declared}) {
      const model::TensorInfo* info = find(*infos, name);
      if (info == nullptr) continue;
      if (size.type == tensor::ElementType::undefined) size.type = info->type;
      if (!size.bytes) size.bytes = model::static_bytes(*info);
    }
  }
  return sizes;
}

base::Expected<worker::ModelSource> shapes_source(const model::Model& model, const std::vector<std::string>& tensors) {
  model::Model shapes = model;
  std::unordered_set<std::string> taken(tensors.begin(), tensors.end());
  edit::visit_all_names(model.graph(), [&](const std::string& name) { taken.insert(name); });
  shapes.graph().clear_output();
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    std::string name = "shape_" + std::to_string(i);
    while (!taken.insert(name).second) name += "_";
    onnx::NodeProto& node = *shapes.graph().add_node();
    node.set_op_type("Shape");
    node.add_input(tensors[i]);
    node.add_output(name);
    model::TensorInfo info;
    info.type = tensor::ElementType::int64;
    *shapes.graph().add_output() = model::to_value_info(name, info);
  }
  edit::keep_ancestors(shapes);
  return worker::model_source(shapes);
}

std::uint64_t bytes_of(tensor::ElementType type, const tensor::Tensor& shape) {
  tensor::Shape dimensions;
  for (std::uint64_t i = 0; i < shape.size(); ++i) dimensions.push_back(shape.load<std::int64_t>(i));
  return tensor::declared_bytes(type, dimensions);
}

std::uint64_t bytes_of(const tensor::Tensor& tensor) {
  std::uint64_t bytes = tensor.bytes().size();
  if (tensor.type() != tensor::ElementType::string) return bytes;
  for (const std::string& value : tensor.strings()) bytes += sizeof(std::string) + value.size();
  return bytes;
}

}  // namespace assay::run
