#include "model/inference/tensor_bytes.h"

#include "tensor/tensor.h"

namespace assay::model {

std::optional<std::uint64_t> static_bytes(const TensorInfo& info) {
  if (!is_static(info) || info.type == tensor::ElementType::undefined) return std::nullopt;
  tensor::Shape shape;
  for (const Dimension& dimension : *info.shape) shape.push_back(dimension.value);
  return tensor::declared_bytes(info.type, shape);
}

std::optional<std::uint64_t> static_bytes(const onnx::ValueInfoProto& value) {
  if (!value.type().has_tensor_type()) return std::nullopt;
  return static_bytes(tensor_info(value));
}

}  // namespace assay::model
