// How large the tensors of a model are for certain inputs, before they are made.
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
  tensor::ElementType type = tensor::ElementType::undefined;  // where it is known
  std::optional<std::uint64_t> bytes;                         // absent where the shape is not known
};

// Of each of `tensors`, by shape inference with the shapes that the inputs have; what that does not find is taken from
// what the model declares, where that is static. Reads no weights. Where inference breaks, all it would tell is absent.
std::vector<TensorSize> infer_sizes(const model::Model& model, const std::vector<std::string>& tensors,
                                    const tensor::NamedTensors& inputs);

// A model that gives back, instead of the tensors themselves, their shapes (int64), in this order and under names of
// its own: an engine that runs it holds each tensor only while others need it. Errors: those of serialize_by_reference.
base::Expected<worker::ModelSource> shapes_source(const model::Model& model, const std::vector<std::string>& tensors);
// Bytes of a tensor whose shape such a run gave; a type that is not known counts as one of 8 bytes.
std::uint64_t bytes_of(tensor::ElementType type, const tensor::Tensor& shape);

// Bytes that a tensor takes in memory, strings included.
std::uint64_t bytes_of(const tensor::Tensor& tensor);

}  // namespace assay::run
