// OpenVINO's shared library, opened at run time through its C API, so that the very library is used that the user
// means.
#pragma once

#include <memory>
#include <string>

#include "backend/openvino_api.h"
#include "backend/serve.h"

namespace assay::backend {

// An object of OpenVINO with the function that releases it.
template <class T>
using OwnedByOpenVino = std::unique_ptr<T, void (*)(T*)>;

// Stays open for the life of the process: engines do not survive being closed.
class OpenVinoLibrary {
 public:
  // `path` of a libopenvino_c.so. Refused where it is none, or lacks a function that is used (before 2024).
  static Answer<OpenVinoLibrary> open(const std::string& path);

  [[nodiscard]] const ov::Functions& api() const { return api_; }
  [[nodiscard]] const std::string& version() const { return version_; }

  // A Refused with OpenVINO's code and text where a call did not work. To be called right after it.
  [[nodiscard]] Answer<void> check(ov::Status status, worker::Phase phase) const;

 private:
  ov::Functions api_;
  std::string version_;  // "2026.4.1-22982-e213a147257-releases/2026/4"
};

}  // namespace assay::backend
