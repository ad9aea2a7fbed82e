// OpenVINO's shared library. It is opened at run time and used through its C API, so that the user can debug the very
// library that fails.
#pragma once

#include <memory>
#include <string>

#include "backend/openvino/api.h"
#include "backend/serve/serve.h"

namespace assay::backend {

// Owns an object of OpenVINO and releases it with the matching function.
template <class T>
using OwnedByOpenVino = std::unique_ptr<T, void (*)(T*)>;

// Stays open for the life of the process, because engines crash if their library is closed.
class OpenVinoLibrary {
 public:
  // Opens the libopenvino_c.so at `path`. Returns a Refused if it isn't one or lacks a function that versions since
  // 2024 have.
  static Answer<OpenVinoLibrary> open(const std::string& path);

  [[nodiscard]] const ov::Functions& api() const { return api_; }
  [[nodiscard]] const std::string& version() const { return version_; }

  // Returns a Refused with OpenVINO's code and text if `status` is an error. To be called right after the failed call,
  // because OpenVINO only keeps the last error's text.
  [[nodiscard]] Answer<void> check(ov::Status status, worker::Phase phase) const;

 private:
  ov::Functions api_;
  std::string version_;  // "2026.4.1-22982-e213a147257-releases/2026/4"
};

}  // namespace assay::backend
