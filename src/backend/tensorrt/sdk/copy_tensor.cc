#include "backend/tensorrt/sdk/copy_tensor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>

namespace assay::backend {

using worker::Phase;

Answer<tensor::Tensor> copy_tensor(const std::string& name, tensor::ElementType type, tensor::Shape shape,
                                   TensorMemory memory, nvinfer1::TensorLocation location, cuda::Stream stream,
                                   const CudaDriver& driver, const TensorLayout& layout) {
  const auto count = stored_elements(layout, shape, tensor::byte_size(type, 1).value_or(1));
  const auto size = count ? tensor::byte_size(type, *count) : std::nullopt;
  if (!size || *size > memory.size) {
    return refuse(
        Phase::run, 0,
        fmt::format("TensorRT gave the tensor '{}' no memory for its shape [{}]", name, fmt::join(shape, ",")));
  }
  std::vector<std::byte> bytes(*size);
  const std::string action = fmt::format("copy the tensor '{}' from the GPU", name);
  ASSAY_TRY(driver.check(driver.api().cuStreamSynchronize(stream), Phase::run, action));
  if (!bytes.empty() && location == nvinfer1::TensorLocation::kHOST) {
    std::memcpy(bytes.data(), memory.address, bytes.size());
  } else if (!bytes.empty()) {
    const auto from = reinterpret_cast<cuda::Pointer>(memory.address);  // NOLINT
    ASSAY_TRY(
        driver.check(driver.api().cuMemcpyDtoHAsync_v2(bytes.data(), from, bytes.size(), stream), Phase::run, action));
    ASSAY_TRY(driver.check(driver.api().cuStreamSynchronize(stream), Phase::run, action));
  }
  if (!layout.is_row_major() && *count > 0) bytes = from_stored(bytes, shape, *size / *count, layout);
  auto made = tensor::Tensor::make(type, std::move(shape), tensor::Buffer::own(std::move(bytes)));
  if (made) return *std::move(made);
  return refuse(Phase::run, 0, fmt::format("the tensor '{}' is invalid: {}", name, made.error().message()));
}

}  // namespace assay::backend
