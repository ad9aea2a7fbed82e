#include "edit/fits.h"

#include <cstddef>
#include <cstdint>

namespace assay::edit {

namespace {

bool fits(tensor::ElementType type, const tensor::Shape& shape, const model::TensorInfo& known) {
  if (known.type != tensor::ElementType::undefined && known.type != type) return false;
  if (!known.shape) return true;
  if (known.shape->size() != shape.size()) return false;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::int64_t size = (*known.shape)[i].value;
    if (size >= 0 && size != shape[i]) return false;
  }
  return true;
}

}  // namespace

bool fits(tensor::ElementType type, const tensor::Shape& shape, const onnx::ValueInfoProto* known) {
  const bool is_known = known != nullptr && known->type().has_tensor_type();
  return !is_known || fits(type, shape, model::tensor_info(*known));
}

bool fits(const tensor::Tensor& value, const model::TensorInfo& known) {
  return fits(value.type(), value.shape(), known);
}

bool fits(const tensor::Tensor& value, const onnx::ValueInfoProto* known) {
  return fits(value.type(), value.shape(), known);
}

}  // namespace assay::edit
