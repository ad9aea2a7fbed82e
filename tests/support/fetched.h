// Finds the engines and the Python that scripts/setup.sh fetched for tests: ctest passes them in environment variables.
// Header only. Each function returns an empty string if its variable isn't set, and tests then skip:
//   if (fetched_python().empty()) GTEST_SKIP() << kNoPython;
#pragma once

#include <cstdlib>
#include <string>

namespace assay::test {

inline std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

inline constexpr const char* kNoPython =
    "no Python with NumPy, ONNX, ONNX Runtime, ONNX-GraphSurgeon and Polygraphy (ASSAY_TEST_PYTHON)";
inline std::string fetched_python() {
  return variable("ASSAY_TEST_PYTHON");
}

inline constexpr const char* kNoOnnxRuntime = "no ONNX Runtime (ASSAY_FETCHED_ONNXRUNTIME_LIB)";
inline std::string fetched_onnxruntime() {
  return variable("ASSAY_FETCHED_ONNXRUNTIME_LIB");
}

inline constexpr const char* kNoOpenVino = "no OpenVINO (ASSAY_FETCHED_OPENVINO_LIB)";
inline std::string fetched_openvino() {
  return variable("ASSAY_FETCHED_OPENVINO_LIB");
}

}  // namespace assay::test
