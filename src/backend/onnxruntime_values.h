// Tensors to and from ONNX Runtime's values, without copies where ONNX Runtime allows that.
#pragma once

#include <memory>
#include <span>

#include "backend/onnxruntime_library.h"
#include "tensor/tensor.h"

namespace assay::backend {

// A value that refers to the tensor's bytes (strings are copied); the tensor must outlive it.
Answer<Owned<OrtValue>> to_value(const OnnxRuntimeLibrary& library, const tensor::Tensor& tensor);

// A value of these bytes, which must outlive it.
Answer<Owned<OrtValue>> value_of(const OnnxRuntimeLibrary& library, tensor::ElementType type,
                                 const tensor::Shape& shape, std::span<std::byte> bytes);

// The tensor that a value holds; its bytes stay where they are and keep the value alive. `name` is for messages.
// Refused for a value that is no tensor: a sequence, a map, a sparse tensor, an optional that holds nothing.
Answer<tensor::Tensor> to_tensor(const OnnxRuntimeLibrary& library, const std::string& name,
                                 std::shared_ptr<OrtValue> value);

}  // namespace assay::backend
