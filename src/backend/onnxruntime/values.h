// Converts tensors to ONNX Runtime's values and back, without copying except for strings.
#pragma once

#include <memory>
#include <span>

#include "backend/onnxruntime/library.h"
#include "tensor/tensor.h"

namespace assay::backend {

// Creates a value that refers to the tensor's bytes (strings are copied). The tensor must outlive it.
Answer<Owned<OrtValue>> to_value(const OnnxRuntimeLibrary& library, const tensor::Tensor& tensor);

// Creates a value that refers to `bytes`, which must outlive it.
Answer<Owned<OrtValue>> value_of(const OnnxRuntimeLibrary& library, tensor::ElementType type,
                                 const tensor::Shape& shape, std::span<std::byte> bytes);

// Returns false for an empty optional.
Answer<bool> holds_value(const OnnxRuntimeLibrary& library, const OrtValue& value);

// Returns a value's tensor, which shares the value's bytes and keeps it alive (strings are copied). `name` is used in
// messages. Returns a Refused for a sequence, a map, a sparse tensor or an empty optional.
Answer<tensor::Tensor> to_tensor(const OnnxRuntimeLibrary& library, const std::string& name,
                                 std::shared_ptr<OrtValue> value);

}  // namespace assay::backend
