// The declaration of a tensor, such as an input or output of a model, for rooms that don't know ONNX.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tensor/element_type.h"

namespace assay::tensor {

struct TensorSpec {
  std::string name;
  ElementType type = ElementType::undefined;
  std::vector<std::int64_t> shape;  // negative dimensions are unknown
  friend bool operator==(const TensorSpec&, const TensorSpec&) = default;
};

}  // namespace assay::tensor
