// Keeps the inputs of a run's first iteration in memory: they are also needed before the run, to find the sizes of
// tensors, and generating or loading them twice would take time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/error.h"
#include "data/input_source.h"
#include "tensor/tensor.h"
#include "tensor/tensor_spec.h"

namespace assay::data {

class FirstInputs {
 public:
  // `source` must outlive this object.
  explicit FirstInputs(InputSource& source) : source_(source) {}

  // Returns InputSource::iteration(), which is only asked again for the first inputs if the source considers the ports,
  // and they differ.
  base::Expected<std::optional<tensor::NamedTensors>> get(std::int64_t index,
                                                          std::span<const tensor::TensorSpec> ports);

 private:
  InputSource& source_;
  std::vector<tensor::TensorSpec> ports_;
  std::optional<tensor::NamedTensors> inputs_;
};

}  // namespace assay::data
