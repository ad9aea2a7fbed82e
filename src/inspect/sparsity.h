// `inspect sparsity`: which weights have the 2:4 structure that sparse kernels need, which is at least two zeros in
// every group of four elements along the axis that is summed over.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/error.h"
#include "model/model.h"
#include "tensor/tensor.h"

namespace assay::inspect {

struct WeightSparsity {
  enum class Kind { sparse, dense, not_eligible };
  std::string name;
  tensor::ElementType type = tensor::ElementType::undefined;
  tensor::Shape shape;
  int axis = 0;
  Kind kind = Kind::not_eligible;
  std::string reason;               // why it isn't eligible; the counts are then 0
  std::uint64_t groups = 0;         // groups of four
  std::uint64_t sparse_groups = 0;  // groups with at least two zeros
  std::uint64_t zeros = 0;          // elements, of 4 * groups
};

struct SparsityTotals {
  std::size_t eligible = 0;
  std::size_t sparse = 0;
};

// Measures every weight of a MatMul, Gemm or Conv (model/weights/multiplied_weights.h), in float32, float16 or
// bfloat16, whose axis is a multiple of 4 long. Sparse initializers come last, as not eligible. Reads one weight at a
// time from its file. Errors: those of model::read_weight.
base::Expected<SparsityTotals> measure_sparsity(const model::Model& model,
                                                const std::function<void(const WeightSparsity&)>& visit);

// Returns a line: "w [dtype=float32, shape=(64, 32), axis=0] | 2:4 sparse, 50.0 % zeros".
std::string sparsity_text(const WeightSparsity& weight);

// Returns an object, indented by 2: {"weights": [{"name", "dtype", "shape", "axis", "verdict": "sparse", "dense" or
// "not eligible", "reason" or "groups", "sparse_groups", "zeros"}], "eligible", "sparse"}. Errors: as
// measure_sparsity().
base::Expected<std::string> sparsity_json(const model::Model& model);

}  // namespace assay::inspect
