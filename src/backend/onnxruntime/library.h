// ONNX Runtime's shared library. It is opened at run time and used through its C API, so that the user can debug the
// very library that fails.
#pragma once

#include <onnxruntime_c_api.h>

#include <memory>
#include <optional>
#include <string>

#include "backend/serve/serve.h"

namespace assay::backend {

// Owns an object of ONNX Runtime and releases it with the matching function.
template <class T>
using Owned = std::unique_ptr<T, void (*)(T*)>;

// Stays open for the life of the process, because engines crash if their library is closed.
class OnnxRuntimeLibrary {
 public:
  // Opens a library. The dynamic loader searches for `path` if it is a bare file name. Returns a Refused if it isn't
  // ONNX Runtime 1.20 or later. Requests the newest API that both the library and Assay's header have.
  static Answer<OnnxRuntimeLibrary> open(const std::string& path);

  [[nodiscard]] const OrtApi& api() const { return *api_; }
  [[nodiscard]] const std::string& version() const { return version_; }
  // Returns the N of version 1.N.
  [[nodiscard]] std::uint32_t minor() const;
  // Returns a function that the library exports in addition to the API, or null.
  [[nodiscard]] void* symbol(const char* name) const;

  // Takes ownership of a status of the API. If it is an error, returns a Refused with ONNX Runtime's code and text.
  Answer<void> check(OrtStatus* status, worker::Phase phase) const;

 private:
  OnnxRuntimeLibrary(void* handle, const OrtApi* api, std::string version)
      : handle_(handle), api_(api), version_(std::move(version)) {}

  void* handle_;
  const OrtApi* api_;
  std::string version_;
};

}  // namespace assay::backend
