// Finds the sizes of a model's tensors for given inputs before they are computed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "model/model.h"
#include "tensor/tensor.h"
#include "worker/engine.h"

namespace assay::run {

struct TensorSize {
  tensor::ElementType type = tensor::ElementType::undefined;  // undefined if unknown
  std::optional<std::uint64_t> bytes;                         // absent if the shape is unknown
};

// Returns the size of each of `tensors`, by shape inference with the shapes of the inputs, or else from the shapes that
// the model declares, if these are static. Reads no weights. If inference fails, only declared sizes are returned.
std::vector<TensorSize> infer_sizes(const model::Model& model, const std::vector<std::string>& tensors,
                                    const tensor::NamedTensors& inputs);

// Returns a model whose outputs are the shapes (int64) of the tensors instead of the tensors, in this order and under
// new names. An engine that runs it holds each tensor only as long as other nodes need it. Errors: those of
// serialize_by_reference.
base::Expected<worker::ModelSource> shapes_source(const model::Model& model, const std::vector<std::string>& tensors);
// Returns the bytes of a tensor from its shape, as returned by such a run; an unknown type counts as 8 bytes an
// element.
std::uint64_t bytes_of(tensor::ElementType type, const tensor::Tensor& shape);

// Returns the bytes that a tensor takes in memory, strings included.
std::uint64_t bytes_of(const tensor::Tensor& tensor);

}  // namespace assay::run
