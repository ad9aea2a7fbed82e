// Converts tensors to OpenVINO's and back, without copying except for strings.
#pragma once

#include <memory>

#include "backend/openvino/library.h"
#include "backend/openvino/types.h"
#include "tensor/tensor.h"

namespace assay::backend {

// Creates an OpenVINO tensor that refers to the tensor's bytes (strings are copied). The tensor must outlive it. `name`
// is used in messages. Returns a Refused for an element type that OpenVINO doesn't support.
Answer<OwnedByOpenVino<ov::TensorHandle>> to_openvino(const OpenVinoLibrary& library, const OpenVinoTypes& types,
                                                      const std::string& name, const tensor::Tensor& tensor);

// Returns an OpenVINO tensor as ours. It shares the bytes of `handle`, keeps it alive, and is valid until the request
// runs again. Returns a Refused for strings, which the C API can't return, and for types that ONNX doesn't have.
Answer<tensor::Tensor> from_openvino(const OpenVinoLibrary& library, const OpenVinoTypes& types,
                                     const std::string& name, std::shared_ptr<ov::TensorHandle> handle);

}  // namespace assay::backend
