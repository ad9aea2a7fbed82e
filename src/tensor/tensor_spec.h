// What is known of a tensor before it is there: an input or output of a model, as the tensor rooms see it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tensor/element_type.h"

namespace assay::tensor {

struct TensorSpec {
  std::string name;
  ElementType type = ElementType::undefined;
  std::vector<std::int64_t> shape;  // a dimension below zero is not known
  friend bool operator==(const TensorSpec&, const TensorSpec&) = default;
};

}  // namespace assay::tensor
