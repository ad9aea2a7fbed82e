// NVIDIA's CUDA driver. It is opened at run time, so that Assay needs no CUDA toolkit, and asked before TensorRT is
// used: without a GPU, TensorRT returns pointers that aren't null and aren't valid.
//
// Source: CUDA Driver API (cuda.h), version 12. Functions and codes keep their names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "backend/serve/serve.h"

extern "C" struct CUstream_st;  // CUstream_st* is also CUDA's cudaStream_t

namespace assay::backend {

namespace cuda {
using Result = int;             // CUresult; 0: success
using Pointer = std::uint64_t;  // CUdeviceptr: an address in the GPU's memory
using Stream = CUstream_st*;
struct Context;  // CUctx_st

// name, arguments. All return a Result.
#define ASSAY_CUDA_FUNCTIONS(DO)                                                             \
  DO(cuInit, (unsigned flags))                                                               \
  DO(cuDriverGetVersion, (int* version))                                                     \
  DO(cuDeviceGetCount, (int* count))                                                         \
  DO(cuDeviceGet, (int* device, int ordinal))                                                \
  DO(cuDeviceGetName, (char* name, int length, int device))                                  \
  DO(cuDeviceGetAttribute, (int* value, int attribute, int device))                          \
  DO(cuDevicePrimaryCtxRetain, (Context * *context, int device))                             \
  DO(cuCtxSetCurrent, (Context * context))                                                   \
  DO(cuGetErrorName, (Result code, const char** text))                                       \
  DO(cuGetErrorString, (Result code, const char** text))                                     \
  DO(cuMemAlloc_v2, (Pointer * memory, std::size_t bytes))                                   \
  DO(cuMemFree_v2, (Pointer memory))                                                         \
  DO(cuMemcpyHtoDAsync_v2, (Pointer to, const void* from, std::size_t bytes, Stream stream)) \
  DO(cuMemcpyDtoHAsync_v2, (void* to, Pointer from, std::size_t bytes, Stream stream))       \
  DO(cuStreamCreate, (Stream * stream, unsigned flags))                                      \
  DO(cuStreamDestroy_v2, (Stream stream))                                                    \
  DO(cuStreamSynchronize, (Stream stream))

struct Functions {
#define ASSAY_CUDA_DECLARE(name, arguments) Result(*name) arguments = nullptr;
  ASSAY_CUDA_FUNCTIONS(ASSAY_CUDA_DECLARE)
#undef ASSAY_CUDA_DECLARE
};
}  // namespace cuda

// The driver with one GPU, whose primary context is current in the thread that opens it. It stays open for the life of
// the process.
class CudaDriver {
 public:
  // Opens the driver and GPU number `device`. Returns a Refused that says what is missing: the driver, a GPU, or this
  // one.
  static Answer<CudaDriver> open(int device, const std::string& library = "libcuda.so.1");

  [[nodiscard]] const cuda::Functions& api() const { return api_; }
  // Returns the newest CUDA version that the driver supports: "12.4".
  [[nodiscard]] const std::string& version() const { return version_; }
  [[nodiscard]] const std::string& device_name() const { return device_name_; }
  // Returns the compute capability: 80 for 8.0, the GPUs of the architecture Ampere.
  [[nodiscard]] int compute_capability() const { return compute_capability_; }

  // Makes the GPU current in the calling thread, for functions that TensorRT calls from threads of its own.
  void use_in_this_thread() const { api_.cuCtxSetCurrent(context_); }
  // Returns false after an error, such as an illegal access to memory, that makes all further calls fail in this
  // process.
  [[nodiscard]] bool is_usable() const { return api_.cuStreamSynchronize(nullptr) == 0; }

  // Returns a Refused with CUDA's name and text if `code` is an error of what `action` describes: "copy an input".
  [[nodiscard]] Answer<void> check(cuda::Result code, worker::Phase phase, const std::string& action) const;

 private:
  Answer<void> choose_device(int device);

  cuda::Functions api_;
  cuda::Context* context_ = nullptr;
  std::string version_;
  std::string device_name_;
  int compute_capability_ = 0;
};

}  // namespace assay::backend
