#include "edit/fits.h"

#include <cstddef>
#include <cstdint>

namespace assay::edit {

bool fits(const tensor::Tensor& value, const model::TensorInfo& known) {
  if (known.type != tensor::ElementType::undefined && known.type != value.type()) return false;
  if (!known.shape) return true;
  if (known.shape->size() != value.shape().size()) return false;
  for (std::size_t i = 0; i < value.shape().size(); ++i) {
    const std::int64_t size = (*known.shape)[i].value;
    if (size >= 0 && size != value.shape()[i]) return false;
  }
  return true;
}

bool fits(const tensor::Tensor& value, const onnx::ValueInfoProto* known) {
  const bool is_known = known != nullptr && known->type().has_tensor_type();
  return !is_known || fits(value, model::tensor_info(*known));
}

}  // namespace assay::edit
