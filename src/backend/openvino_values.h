// Tensors to and from OpenVINO's, without copies where it allows that.
#pragma once

#include <memory>

#include "backend/openvino_library.h"
#include "backend/openvino_types.h"
#include "tensor/tensor.h"

namespace assay::backend {

// A tensor of OpenVINO's that refers to the tensor's bytes (strings are copied); the tensor must outlive it. `name` is
// for messages. Refused for an element type that OpenVINO does not have.
Answer<OwnedByOpenVino<ov::TensorHandle>> to_openvino(const OpenVinoLibrary& library, const OpenVinoTypes& types,
                                                      const std::string& name, const tensor::Tensor& tensor);

// The tensor that it holds; its bytes stay where they are and keep it alive, until the request runs again. Refused for
// strings, which the C API does not give back, and for types that ONNX does not have.
Answer<tensor::Tensor> from_openvino(const OpenVinoLibrary& library, const OpenVinoTypes& types,
                                     const std::string& name, std::shared_ptr<ov::TensorHandle> handle);

}  // namespace assay::backend
