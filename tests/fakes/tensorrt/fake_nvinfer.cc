// The C entry points of libnvinfer.so for tests. ASSAY_FAKE_TENSORRT_VERSION is the version that it claims (101501),
// and ASSAY_FAKE_TENSORRT says what asking for a builder does: "null_builder" (as without a GPU), "crash_builder", or
// else returns a pointer, which the caller must not use as a builder. Like TensorRT, it first opens a library of
// kernels by name, and returns null if that isn't found. It stands in for NVIDIA's plug-ins, too, and counts how often
// they are registered.
#include <dlfcn.h>

#include <csignal>
#include <cstdlib>
#include <string_view>

namespace {

std::string_view mode() {
  const char* value = std::getenv("ASSAY_FAKE_TENSORRT");
  return value == nullptr ? "" : value;
}

int something = 0;
int registrations = 0;

}  // namespace

extern "C" {

int getInferLibVersion() noexcept {
  const char* version = std::getenv("ASSAY_FAKE_TENSORRT_VERSION");
  return version == nullptr ? 101501 : std::atoi(version);
}
void* createInferBuilder_INTERNAL(void* /*logger*/, int /*version*/) noexcept {
  if (mode() == "crash_builder") {
    std::signal(SIGSEGV, SIG_DFL);  // a sanitizer would turn the signal into an exit status
    std::raise(SIGSEGV);
  }
  if (::dlopen("libnvinfer_builder_resource_fake.so", RTLD_NOW) == nullptr) return nullptr;
  return mode() == "null_builder" ? nullptr : &something;
}
void* createInferRuntime_INTERNAL(void* /*logger*/, int /*version*/) noexcept {
  return &something;
}
bool initLibNvInferPlugins(void* /*logger*/, const char* /*space*/) noexcept {
  return ++registrations == 1;
}
int countRegistrations() noexcept {
  return registrations;
}

}  // extern "C"
