// For tests that compute values: a real engine, in real workers.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/stop.h"
#include "surgeon/fold/engine.h"
#include "surgeon/graph/test_models.h"

namespace assay::surgeon {

// Base of tests that compute values in ONNX Runtime: the library that set-up fetched, in real workers.
class EngineTest : public testing::Test {
 protected:
  void SetUp() override {
    const char* library = std::getenv("ASSAY_FETCHED_ONNXRUNTIME_LIB");
    if (library == nullptr || *library == '\0') GTEST_SKIP() << "ASSAY_FETCHED_ONNXRUNTIME_LIB names no ONNX Runtime";
    library_ = library;
  }

  Engine engine(double seconds = 60) {
    return {pool_,
            [this]() -> base::Expected<worker::EngineSpec> {
              ++engines_found_;
              return worker::EngineSpec{"onnxruntime", library_, {}};
            },
            worker::Limits{seconds, {}}};
  }

  std::filesystem::path library_;
  int engines_found_ = 0;
  KeptLog log_;
  base::Stop stop_;
  worker::Pool pool_{{ASSAY_BINARY_DIR "/libexec/assay", 4}, stop_};
};

}  // namespace assay::surgeon
