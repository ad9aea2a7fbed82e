// A workspace in which commands run TensorRT's worker with the stand-ins for TensorRT and NVIDIA's driver
// (tests/fakes/tensorrt). Tests are skipped if Assay was built without TensorRT's headers.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/e2e/tensorrt_version.h"
#include "tests/e2e/workspace.h"
#include "tests/support/paths.h"

namespace assay::e2e {

inline bool has_tensorrt_worker() {
  return std::filesystem::exists(test::workers_dir() / "assay-worker-tensorrt");
}

class TensorRtWorkspace : public Workspace {
 protected:
  void SetUp() override {
    Workspace::SetUp();
    if (!has_tensorrt_worker()) GTEST_SKIP() << "this build has no TensorRT worker: CMake found no headers";
    environment_["ASSAY_TENSORRT_LIB"] = test::fake("tensorrt/sdk");
    environment_["LD_LIBRARY_PATH"] = test::fake("tensorrt/fake_cuda");
  }
  // The stand-in has the major version of the headers.
  [[nodiscard]] int tensorrt_major() const { return e2e::tensorrt_major(assay({"--version"}).output); }
};

}  // namespace assay::e2e
