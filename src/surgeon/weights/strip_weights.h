// Takes the values out of a model's weights, for a small file from which TensorRT can build an engine whose weights
// are filled in later. The marks in the weights are those of Polygraphy.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "model/model.h"

namespace assay::surgeon {

// The doc_string of a weight without values begins with this.
inline constexpr std::string_view kWeightless = "TRT_WEIGHTLESS/";
// The whole doc_string of one that had 2:4 sparsity (sparse_groups.h).
inline constexpr std::string_view kWeightlessSparse = "TRT_WEIGHTLESS/SPARSE_2_4";
// The doc_string of a model with such weights ends with this, after a hyphen if it had text before.
inline constexpr std::string_view kWeightlessModel = "TRT_WEIGHTLESS";

struct StrippedWeights {
  int stripped = 0;
  int sparse = 0;                           // of them
  std::uint64_t bytes = 0;                  // of values that were removed
  int in_constants = 0;                     // Constant nodes with weights that such nodes read, which stay
  int stored_sparse = 0;                    // sparse initializers that such nodes read, which stay
  std::vector<std::string> not_found = {};  // excluded names that aren't initializers
};

// Empties and marks the initializers of the graph that Polygraphy empties:
//  - those that Conv, ConvTranspose, Gemm and MatMul read. For Gemm, MatMul and the first input of convolutions, also
//    through a Transpose, or a QuantizeLinear and DequantizeLinear, that nothing else reads;
//  - those of 1024 elements or more that Gather and Slice read;
//  - those that operators read that ONNX doesn't have.
// Weights of type uint8, those in `excluded` and those without values stay as they are. Type and shape always stay. The
// model is marked, too, if a weight was emptied. Only weights that may be sparse are read; without their values
// (weights_ignored), they count as dense, with a warning. Errors: those of model::read_weight.
base::Expected<StrippedWeights> strip_weights(model::Model& model, const std::set<std::string>& excluded,
                                              base::Log& log);

// Returns whether a tensor that should have values has none, and is marked as above.
bool is_stripped(const onnx::TensorProto& weight);

}  // namespace assay::surgeon
