// Types and shapes of value infos; the parts of shapes.h that need no inference.
#include <algorithm>
#include <utility>

#include "model/shapes.h"

namespace assay::model {

TensorInfo tensor_info(const onnx::ValueInfoProto& value) {
  TensorInfo info;
  if (!value.type().has_tensor_type()) return info;
  const onnx::TypeProto::Tensor& type = value.type().tensor_type();
  info.type = static_cast<tensor::ElementType>(type.elem_type());
  if (!type.has_shape()) return info;
  std::vector<Dimension> shape;
  for (const onnx::TensorShapeProto::Dimension& dimension : type.shape().dim()) {
    const bool known = dimension.has_dim_value() && dimension.dim_value() >= 0;
    shape.push_back({known ? dimension.dim_value() : -1, dimension.dim_param()});
  }
  info.shape = std::move(shape);
  return info;
}

onnx::ValueInfoProto to_value_info(const std::string& name, const TensorInfo& info) {
  onnx::ValueInfoProto value;
  value.set_name(name);
  if (info.type == tensor::ElementType::undefined) return value;
  onnx::TypeProto::Tensor& type = *value.mutable_type()->mutable_tensor_type();
  type.set_elem_type(static_cast<std::int32_t>(info.type));
  if (!info.shape) return value;
  type.mutable_shape();
  for (const Dimension& dimension : *info.shape) {
    onnx::TensorShapeProto::Dimension& added = *type.mutable_shape()->add_dim();
    if (dimension.value >= 0) {
      added.set_dim_value(dimension.value);
    } else if (!dimension.symbol.empty()) {
      added.set_dim_param(dimension.symbol);
    }
  }
  return value;
}

bool is_static(const TensorInfo& info) {
  return info.shape &&
         std::ranges::all_of(*info.shape, [](const Dimension& dimension) { return dimension.value >= 0; });
}

}  // namespace assay::model
