// ONNX Runtime's shared library, opened at run time through its C API, so that the very library is used that the user
// means.
#pragma once

#include <onnxruntime_c_api.h>

#include <memory>
#include <optional>
#include <string>

#include "backend/serve.h"

namespace assay::backend {

// An object of ONNX Runtime with the function that releases it.
template <class T>
using Owned = std::unique_ptr<T, void (*)(T*)>;

// Stays open for the life of the process: engines do not survive being closed.
class OnnxRuntimeLibrary {
 public:
  // `path` may be a bare file name, which the dynamic loader then looks for. Refused where it is no ONNX Runtime, or
  // one before 1.20; API 21 is asked for, or what a 1.20 has.
  static Answer<OnnxRuntimeLibrary> open(const std::string& path);

  [[nodiscard]] const OrtApi& api() const { return *api_; }
  [[nodiscard]] const std::string& version() const { return version_; }
  // The N of version 1.N.
  [[nodiscard]] std::uint32_t minor() const;
  // A function that the library exports beside the API; null where it does not.
  [[nodiscard]] void* symbol(const char* name) const;

  // Takes over a status of the API: a Refused with ONNX Runtime's code and text where it is one.
  Answer<void> check(OrtStatus* status, worker::Phase phase) const;

 private:
  OnnxRuntimeLibrary(void* handle, const OrtApi* api, std::string version)
      : handle_(handle), api_(api), version_(std::move(version)) {}

  void* handle_;
  const OrtApi* api_;
  std::string version_;
};

}  // namespace assay::backend
