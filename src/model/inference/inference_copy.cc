#include "model/inference/inference_copy.h"

#include "model/external_data.h"
#include "model/visit_tensors.h"
#include "model/weights.h"

namespace assay::model {
namespace {

bool inference_may_read(const onnx::TensorProto& tensor) {
  const bool integer = tensor.data_type() == onnx::TensorProto::INT64 || tensor.data_type() == onnx::TensorProto::INT32;
  return integer && tensor.dims_size() <= 1 && data_bytes(tensor) <= InferenceCopy::kLargest;
}

}  // namespace

void read_values_for_inference(const Model& model, InferenceCopy::Values values, onnx::ModelProto& proto,
                               const std::function<void(onnx::TensorProto&)>& before_change) {
  visit_tensors(proto, [&](onnx::TensorProto& tensor, TensorRole) {
    if (!is_external(tensor) || !inference_may_read(tensor)) return;
    if (values == InferenceCopy::Values::inline_only && !was_inline(tensor)) return;
    const auto read = read_weight(model, tensor);
    if (!read) return;  // unavailable: inference works without it
    before_change(tensor);
    tensor.clear_data_location();
    tensor.clear_external_data();
    tensor.set_raw_data(std::string(read->buffer().view()));
  });
}

InferenceCopy::InferenceCopy(const Model& model, Values values) : proto_(model.proto) {
  read_values_for_inference(model, values, proto_,
                            [&](onnx::TensorProto& tensor) { references_.emplace_back(&tensor, tensor); });
}

onnx::ModelProto InferenceCopy::restored() && {
  for (auto& [tensor, reference] : references_) tensor->Swap(&reference);
  references_.clear();
  return std::move(proto_);
}

}  // namespace assay::model
