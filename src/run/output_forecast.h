// Predicts how much memory the outputs of a run will take, if their sizes are certain before the engine has loaded the
// model. The worker can then allocate the memory while it loads.
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
  // `inputs` are those of the model, `sizes` those of `tensors`, from shape inference. No size is certain if an input
  // has a dimension that only its values determine.
  OutputForecast(const model::Model& model, const std::vector<tensor::TensorSpec>& inputs,
                 const std::vector<std::string>& tensors, const std::vector<TensorSize>& sizes);

  // Returns the bytes of these tensors together. Returns 0 if the weights of the model are at least as large: loading
  // it takes memory of its own, which an engine may have freed by the time it runs.
  [[nodiscard]] std::uint64_t bytes(const std::vector<std::string>& tensors) const;

 private:
  std::unordered_map<std::string, std::uint64_t> bytes_;
  std::uint64_t weights_ = 0;
};

}  // namespace assay::run
