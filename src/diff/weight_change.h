// Measures in a stream how much the values of two tensors differ.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <optional>

#include "base/error.h"
#include "model/model.h"
#include "tensor/tensor.h"

namespace assay::diff {

struct WeightChange {
  std::uint64_t elements = 0;
  std::uint64_t different = 0;   // elements that differ; two NaNs are equal
  std::uint64_t nan_in_one = 0;  // elements that are NaN in only one of the tensors
  double largest = 0;            // the largest |b - a|; infinite if an element is NaN in only one of them
  tensor::Shape at;              // the first element with it, by its indices
  double norm = 0;               // Euclidean norm of b - a; infinite if `largest` is
  double relative_norm = 0;      // norm / norm of a; infinite if that is 0
};

// Measures a tensor of `first_model` and one of `second_model`. Returns nothing if the sizes of the changes mean
// nothing: the shapes differ, only one of the types is a floating-point one, or the values are strings, are
// missing or weren't loaded. Needs a few MB of memory, whatever the size. Errors: those of model::read_weight().
base::Expected<std::optional<WeightChange>> measure_change(const model::Model& first_model,
                                                           const onnx::TensorProto& first,
                                                           const model::Model& second_model,
                                                           const onnx::TensorProto& second);

}  // namespace assay::diff
