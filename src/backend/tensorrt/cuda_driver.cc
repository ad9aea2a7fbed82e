// Each way in which a machine can lack a GPU has a message of its own, because each asks for something else: a driver,
// a container with access to the GPU, a newer driver, another number.
#include "backend/tensorrt/cuda_driver.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>

namespace assay::backend {
namespace {

using worker::Phase;

// Values of the enumeration CUdevice_attribute.
constexpr int kCapabilityMajor = 75;
constexpr int kCapabilityMinor = 76;

// Codes of CUresult.
constexpr cuda::Result kOutOfMemory = 2;
constexpr cuda::Result kStubLibrary = 34;
constexpr cuda::Result kNoDevice = 100;
constexpr cuda::Result kSystemNotReady = 802;
constexpr cuda::Result kSystemDriverMismatch = 803;
constexpr cuda::Result kCompatNotSupported = 804;
constexpr cuda::Result kUnknown = 999;

// Returns what the user can do about an error that cuInit reports, or nothing.
std::string_view advice(cuda::Result code) {
  switch (code) {
    case kStubLibrary:
      return ". The library found is the toolkit's stub: remove its folder from LD_LIBRARY_PATH";
    case kCompatNotSupported:
      return ". Install a newer driver of NVIDIA";
    case kNoDevice:
      return ". TensorRT needs an NVIDIA GPU. In a container, give it access to the GPU (--gpus all). "
             "CUDA_VISIBLE_DEVICES may hide it";
    case kSystemNotReady:
      return ". On most machines with H100 or H200, NVIDIA's Fabric Manager has to run: start the service "
             "nvidia-fabricmanager, in the version of the driver";
    case kUnknown:
      return ". The kernel module nvidia_uvm may not be loaded, or a container may lack /dev/nvidia-uvm: run "
             "nvidia-modprobe -u -c 0, or restart the machine or the container";
    case kSystemDriverMismatch:
      return ". The driver's library and its kernel module differ: restart the machine, or install both again";
    default:
      return "";
  }
}

// Finds all functions. Returns the name of the first one that the library lacks, or null.
const char* find_functions(void* handle, cuda::Functions& api) {
  using namespace cuda;
#define ASSAY_CUDA_FIND(name, arguments)                                               \
  api.name = reinterpret_cast<Result(*) arguments>(::dlsym(handle, #name)); /*NOLINT*/ \
  if (api.name == nullptr) return #name;
  ASSAY_CUDA_FUNCTIONS(ASSAY_CUDA_FIND)
#undef ASSAY_CUDA_FIND
  return nullptr;
}

}  // namespace

Answer<CudaDriver> CudaDriver::open(int device, const std::string& library) {
  void* handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    return refuse(Phase::start, 0,
                  fmt::format("NVIDIA's driver is missing: {}. TensorRT needs an NVIDIA GPU and its driver. In a "
                              "container, give it access to the GPU (--gpus all)",
                              ::dlerror()));
  }
  CudaDriver driver;
  if (const char* missing = find_functions(handle, driver.api_)) {
    return refuse(
        Phase::start, 0,
        fmt::format("{} is not the driver of CUDA 11 or later: it has no {}. Install a newer driver of NVIDIA", library,
                    missing));
  }
  const cuda::Result code = driver.api_.cuInit(0);
  if (auto started = driver.check(code, Phase::start, "start"); !started) {
    started.error().failed.message += advice(code);
    return tl::unexpected(std::move(started).error());
  }
  ASSAY_TRY(driver.choose_device(device));
  return driver;
}

Answer<void> CudaDriver::choose_device(int device) {
  int version = 0;
  ASSAY_TRY(check(api_.cuDriverGetVersion(&version), Phase::start, "tell its version"));
  version_ = fmt::format("{}.{}", version / 1000, version % 1000 / 10);
  int count = 0;
  ASSAY_TRY(check(api_.cuDeviceGetCount(&count), Phase::start, "count the GPUs"));
  if (device < 0 || device >= count) {
    return refuse(Phase::start, 0,
                  count == 0
                      ? "NVIDIA's driver finds no GPU. TensorRT needs one"
                      : fmt::format("there is no GPU {}: NVIDIA's driver finds {}, counted from 0", device, count));
  }
  int handle = 0;
  ASSAY_TRY(check(api_.cuDeviceGet(&handle, device), Phase::start, "open the GPU"));
  std::array<char, 256> name = {};
  ASSAY_TRY(check(api_.cuDeviceGetName(name.data(), name.size() - 1, handle), Phase::start, "tell the GPU's name"));
  device_name_ = name.data();
  int major = 0;
  int minor = 0;
  const std::string ask = "tell the GPU's compute capability";
  ASSAY_TRY(check(api_.cuDeviceGetAttribute(&major, kCapabilityMajor, handle), Phase::start, ask));
  ASSAY_TRY(check(api_.cuDeviceGetAttribute(&minor, kCapabilityMinor, handle), Phase::start, ask));
  compute_capability_ = 10 * major + minor;
  ASSAY_TRY(check(api_.cuDevicePrimaryCtxRetain(&context_, handle), Phase::start, "open the GPU"));
  return check(api_.cuCtxSetCurrent(context_), Phase::start, "open the GPU");
}

Answer<void> CudaDriver::check(cuda::Result code, Phase phase, const std::string& action) const {
  if (code == 0) return {};
  const char* name = nullptr;
  const char* text = nullptr;
  api_.cuGetErrorName(code, &name);
  api_.cuGetErrorString(code, &text);
  return refuse(phase, code,
                fmt::format("NVIDIA's driver can't {}: {} ({})", action, text == nullptr ? "unknown error" : text,
                            name == nullptr ? fmt::format("code {}", code) : name),
                code == kOutOfMemory);
}

}  // namespace assay::backend
