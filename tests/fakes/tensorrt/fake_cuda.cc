// NVIDIA's driver for tests: one or two GPUs whose memory is the host's. The environment variable ASSAY_FAKE_CUDA says
// what is wrong: "no_device", "stub", "not_ready", "unknown", "two" (GPUs), "no_memory", "none" (no GPU is counted); or
// which GPU it is: "turing" or "blackwell_ultra", of compute capability 7.5 or 10.3 instead of 9.0. As with the real
// one, no call works before cuInit, in a thread without a current context, or after an illegal access to memory.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <set>
#include <string_view>

namespace {

// Codes of CUresult.
constexpr int kInvalidValue = 1;
constexpr int kNotInitialized = 3;
constexpr int kInvalidContext = 201;

bool initialized = false;
int broken = 0;   // code that all calls return; 0: none
int primary = 0;  // its address is the context
bool is_retained = false;
thread_local bool has_context = false;
std::map<std::uintptr_t, std::size_t> memory;  // sizes by address
std::set<void*> streams;

// Returns why a call fails, or 0.
int trouble() {
  if (!initialized) return kNotInitialized;
  return broken != 0 ? broken : has_context ? 0 : kInvalidContext;
}

// Returns whether a part of memory is inside of what was allocated.
bool is_inside(std::uint64_t address, std::size_t bytes) {
  const auto after = memory.upper_bound(address);
  if (after == memory.begin()) return false;
  const auto block = std::prev(after);
  return address + bytes <= block->first + block->second;
}

std::string_view mode() {
  const char* value = std::getenv("ASSAY_FAKE_CUDA");
  return value == nullptr ? "" : value;
}

}  // namespace

extern "C" {

int cuInit(unsigned /*flags*/) {
  if (mode() == "no_device") return 100;
  if (mode() == "stub") return 34;
  if (mode() == "not_ready") return 802;
  if (mode() == "unknown") return 999;
  initialized = true;
  return 0;
}
int cuDriverGetVersion(int* version) {
  *version = 12040;
  return 0;
}
int cuDeviceGetCount(int* count) {
  if (!initialized) return kNotInitialized;
  *count = mode() == "two" ? 2 : mode() == "none" ? 0 : 1;
  return 0;
}
int cuDeviceGet(int* device, int ordinal) {
  if (!initialized) return kNotInitialized;
  *device = ordinal;
  return 0;
}
int cuDeviceGetName(char* name, int length, int device) {
  if (!initialized) return kNotInitialized;
  std::strncpy(name, device == 0 ? "Fake GPU" : "Second fake GPU", static_cast<std::size_t>(length));
  return 0;
}
int cuDeviceGetAttribute(int* value, int attribute, int /*device*/) {
  if (!initialized) return kNotInitialized;
  const bool is_major = attribute == 75;
  if (!is_major && attribute != 76) return kInvalidValue;
  *value = mode() == "turing"            ? (is_major ? 7 : 5)
           : mode() == "blackwell_ultra" ? (is_major ? 10 : 3)
           : is_major                    ? 9
                                         : 0;
  return 0;
}
int cuDevicePrimaryCtxRetain(void** context, int /*device*/) {
  if (!initialized) return kNotInitialized;
  is_retained = true;
  *context = &primary;
  return 0;
}
int cuCtxSetCurrent(void* context) {
  if (!initialized) return kNotInitialized;
  if (context != nullptr && (context != &primary || !is_retained)) return kInvalidContext;
  has_context = context != nullptr;
  return 0;
}
int cuGetErrorName(int code, const char** text) {
  *text = code == 100 ? "CUDA_ERROR_NO_DEVICE" : nullptr;
  if (code == kInvalidValue) *text = "CUDA_ERROR_INVALID_VALUE";
  if (code == 2) *text = "CUDA_ERROR_OUT_OF_MEMORY";
  if (code == 700) *text = "CUDA_ERROR_ILLEGAL_ADDRESS";
  return *text == nullptr ? kInvalidValue : 0;
}
int cuGetErrorString(int code, const char** text) {
  *text = code == 100 ? "no CUDA-capable device is detected" : nullptr;
  if (code == kInvalidValue) *text = "invalid argument";
  if (code == 2) *text = "out of memory";
  if (code == 700) *text = "an illegal memory access was encountered";
  return *text == nullptr ? kInvalidValue : 0;
}
int cuMemAlloc_v2(std::uint64_t* address, std::size_t bytes) {
  if (const int code = trouble()) return code;
  if (bytes == 0) return kInvalidValue;
  if (mode() == "no_memory") return 2;
  void* made = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  *address = reinterpret_cast<std::uintptr_t>(made);  // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast)
  if (made != nullptr) memory[*address] = bytes;
  return made == nullptr ? 2 : 0;
}
int cuMemFree_v2(std::uint64_t address) {
  if (const int code = trouble()) return code;
  if (memory.erase(address) == 0) return kInvalidValue;
  std::free(reinterpret_cast<void*>(address));  // NOLINT
  return 0;
}
int cuMemcpyHtoDAsync_v2(std::uint64_t to, const void* from, std::size_t bytes, void* /*stream*/) {
  if (const int code = trouble()) return code;
  if (!is_inside(to, bytes)) return kInvalidValue;
  std::memcpy(reinterpret_cast<void*>(to), from, bytes);  // NOLINT
  return 0;
}
int cuMemcpyDtoHAsync_v2(void* to, std::uint64_t from, std::size_t bytes, void* /*stream*/) {
  if (const int code = trouble()) return code;
  if (!is_inside(from, bytes)) return kInvalidValue;
  std::memcpy(to, reinterpret_cast<const void*>(from), bytes);  // NOLINT
  return 0;
}
int cuStreamCreate(void** stream, unsigned /*flags*/) {
  if (const int code = trouble()) return code;
  if (streams.size() > 3) return 2;  // a process has one model at a time, so streams weren't destroyed
  *stream = std::malloc(1);
  streams.insert(*stream);
  return 0;
}
int cuStreamDestroy_v2(void* stream) {
  if (streams.erase(stream) == 0) return kInvalidValue;
  std::free(stream);
  return 0;
}
int cuStreamSynchronize(void* stream) {
  if (const int code = trouble()) return code;
  return stream == nullptr || streams.contains(stream) ? 0 : kInvalidValue;
}

// For the fake TensorRT: whether an address is on the GPU, and a fault of the GPU.
bool assay_fake_cuda_owns(const void* address) {
  return is_inside(reinterpret_cast<std::uintptr_t>(address), 1);  // NOLINT
}
void assay_fake_cuda_breaks(int code) {
  broken = code;
}

}  // extern "C"
