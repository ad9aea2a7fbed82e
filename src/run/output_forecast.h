// How much memory the outputs of a run are going to take, as far as an engine is sure to find the same sizes when it
// has loaded the model: then it can take the memory while it loads.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/model.h"
#include "run/tensor_sizes.h"
#include "tensor/tensor_spec.h"

namespace assay::run {

class OutputForecast {
 public:
  // `inputs` are those of the model, `sizes` those of `tensors`, by shape inference. Nothing is sure where an input has
  // a dimension that only its values tell.
  OutputForecast(const model::Model& model, const std::vector<tensor::TensorSpec>& inputs,
                 const std::vector<std::string>& tensors, const std::vector<TensorSize>& sizes);

  // Bytes of these tensors together; 0 where the weights of the model are more: loading it takes memory of its own,
  // which an engine may have given back by the time it runs.
  [[nodiscard]] std::uint64_t bytes(const std::vector<std::string>& tensors) const;

 private:
  std::unordered_map<std::string, std::uint64_t> bytes_;
  std::uint64_t weights_ = 0;
};

}  // namespace assay::run
