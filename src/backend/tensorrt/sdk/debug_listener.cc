#include "backend/tensorrt/sdk/debug_listener.h"

#include <fmt/format.h>

#include <limits>

#include "backend/tensorrt/sdk/copy_tensor.h"
#include "backend/tensorrt/sdk/dimensions.h"

namespace assay::backend {

bool DebugListener::processDebugTensor(void const* address, nvinfer1::TensorLocation location, nvinfer1::DataType type,
                                       nvinfer1::Dims const& shape, char const* name, cudaStream_t stream) {
  sdk_.driver.use_in_this_thread();
  const tensor::ElementType element = to_element_type(type);
  if (element == tensor::ElementType::undefined) {
    sdk_.logger.add(base::Level::warning, fmt::format("the tensor '{}' has a type that Assay doesn't know", name));
    return true;
  }
  constexpr std::size_t kUnknown = std::numeric_limits<std::size_t>::max();  // TensorRT tells the address alone
  auto copied = copy_tensor(name, element, to_shape(shape), {address, kUnknown}, location, stream, sdk_.driver);
  if (copied) {
    tensors_.set(name, *std::move(copied));
  } else {
    refused_ = std::move(copied).error();
  }
  return !refused_;
}

void DebugListener::begin() {
  tensors_ = {};
  refused_.reset();
}

}  // namespace assay::backend
