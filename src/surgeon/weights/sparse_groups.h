// 2:4 sparsity: of every four elements along an axis, at least two are zero. Engines have kernels that skip them.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstddef>
#include <span>
#include <unordered_map>

#include "model/model.h"

namespace assay::surgeon {

// How the groups of four lie in a weight: a row of groups is `stride` groups side by side, whose four members are
// `stride` elements apart. A weight is a sequence of rows.
struct SparseGroups {
  std::size_t stride = 1;  // elements
  std::size_t width = 4;   // bytes of an element: 4 (float32) or 2 (float16, bfloat16)

  [[nodiscard]] std::size_t row_bytes() const { return 4 * stride * width; }
};

// Returns the groups of each initializer of the graph that MatMul, Gemm or Conv multiply and sum over, if its type is
// float32, float16 or bfloat16 and the length of the axis is a multiple of 4. For a weight that is summed over along
// several axes, the last node decides, as in Polygraphy.
std::unordered_map<const onnx::TensorProto*, SparseGroups> find_sparse_groups(const model::Model& model);

// Sets the two elements of smallest magnitude in each group to zero; among equals, the first ones. NaN is larger than
// any number. `rows` holds whole rows.
void prune(std::span<std::byte> rows, const SparseGroups& groups);

// Returns whether each group has two zeros.
bool is_sparse(std::span<const std::byte> rows, const SparseGroups& groups);

// Returns whether every group of a weight has two zeros. Reads it up to the first one that doesn't. Errors: those of
// model::read_weight.
base::Expected<bool> is_sparse(const model::Model& model, const onnx::TensorProto& weight, const SparseGroups& groups);

// Returns how many bytes of a weight to process at a time: whole rows, at least one.
std::size_t rows_at_a_time(const SparseGroups& groups);

}  // namespace assay::surgeon
