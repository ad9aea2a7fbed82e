// NVIDIA's driver for tests: one or two GPUs whose memory is the host's. The environment variable ASSAY_FAKE_CUDA says
// what is wrong: "no_device", "old", "stub", "two" (GPUs), "no_memory", "none" (no GPU is counted).
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace {

std::string_view mode() {
  const char* value = std::getenv("ASSAY_FAKE_CUDA");
  return value == nullptr ? "" : value;
}

}  // namespace

extern "C" {

int cuInit(unsigned /*flags*/) {
  if (mode() == "no_device") return 100;
  if (mode() == "old") return 35;
  return mode() == "stub" ? 34 : 0;
}
int cuDriverGetVersion(int* version) {
  *version = 12040;
  return 0;
}
int cuDeviceGetCount(int* count) {
  *count = mode() == "two" ? 2 : mode() == "none" ? 0 : 1;
  return 0;
}
int cuDeviceGet(int* device, int ordinal) {
  *device = ordinal;
  return 0;
}
int cuDeviceGetName(char* name, int length, int device) {
  std::strncpy(name, device == 0 ? "Fake GPU" : "Second fake GPU", static_cast<std::size_t>(length));
  return 0;
}
int cuDevicePrimaryCtxRetain(void** context, int /*device*/) {
  *context = nullptr;
  return 0;
}
int cuCtxSetCurrent(void* /*context*/) {
  return 0;
}
int cuGetErrorName(int code, const char** text) {
  *text = code == 100 ? "CUDA_ERROR_NO_DEVICE" : code == 35 ? "CUDA_ERROR_INSUFFICIENT_DRIVER" : nullptr;
  if (code == 2) *text = "CUDA_ERROR_OUT_OF_MEMORY";
  return *text == nullptr ? 1 : 0;
}
int cuGetErrorString(int code, const char** text) {
  *text = code == 100  ? "no CUDA-capable device is detected"
          : code == 35 ? "CUDA driver version is insufficient"
                       : nullptr;
  if (code == 2) *text = "out of memory";
  return *text == nullptr ? 1 : 0;
}
int cuMemAlloc_v2(std::uint64_t* memory, std::size_t bytes) {
  if (mode() == "no_memory") return 2;
  void* made = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  *memory = reinterpret_cast<std::uintptr_t>(made);  // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast)
  return made == nullptr ? 2 : 0;
}
int cuMemFree_v2(std::uint64_t memory) {
  std::free(reinterpret_cast<void*>(memory));  // NOLINT
  return 0;
}
int cuMemcpyHtoDAsync_v2(std::uint64_t to, const void* from, std::size_t bytes, void* /*stream*/) {
  std::memcpy(reinterpret_cast<void*>(to), from, bytes);  // NOLINT
  return 0;
}
int cuMemcpyDtoHAsync_v2(void* to, std::uint64_t from, std::size_t bytes, void* /*stream*/) {
  std::memcpy(to, reinterpret_cast<const void*>(from), bytes);  // NOLINT
  return 0;
}
int cuStreamCreate(void** stream, unsigned /*flags*/) {
  *stream = nullptr;
  return 0;
}
int cuStreamSynchronize(void* /*stream*/) {
  return 0;
}

}  // extern "C"
