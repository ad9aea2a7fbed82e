// Copies what the engine has computed.
#pragma once

#include <NvInferRuntime.h>

#include <string>

#include "backend/tensorrt/cuda_driver.h"
#include "backend/tensorrt/sdk/tensor_layout.h"
#include "tensor/tensor.h"

namespace assay::backend {

// Memory of the host or of the GPU.
struct TensorMemory {
  const void* address = nullptr;
  std::size_t size = 0;  // bytes
};

// Waits for the work in the stream and returns a copy of the tensor in this memory. Returns a Refused in phase run if
// the driver can't copy it, and for a shape that has dynamic dimensions or doesn't fit the memory. `layout`: the order
// of the elements in memory; those of the copy are row-major.
Answer<tensor::Tensor> copy_tensor(const std::string& name, tensor::ElementType type, tensor::Shape shape,
                                   TensorMemory memory, nvinfer1::TensorLocation location, cuda::Stream stream,
                                   const CudaDriver& driver, const TensorLayout& layout = {});

}  // namespace assay::backend
