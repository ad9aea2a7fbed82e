#include "surgeon/graph/same_weight.h"

#include <algorithm>

#include "model/weights.h"

namespace assay::surgeon {

bool same_weight(const model::Model& model, const onnx::TensorProto& weight, const model::Model& other_model,
                 const onnx::TensorProto& other) {
  if (weight.data_type() != other.data_type() || model::shape(weight) != model::shape(other)) return false;
  const auto values = model::read_weight(model, weight);
  const auto others = model::read_weight(other_model, other);
  return values && others && std::ranges::equal(values->bytes(), others->bytes()) &&
         values->strings() == others->strings();
}

}  // namespace assay::surgeon
