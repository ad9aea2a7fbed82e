// For tests that compute values: a real engine, in real workers.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>

#include "base/stop.h"
#include "base/test_log.h"
#include "surgeon/fold/engine.h"
#include "surgeon/graph/test_models.h"
#include "tests/support/fetched.h"
#include "tests/support/paths.h"

namespace assay::surgeon {

// Base of tests that compute values in ONNX Runtime: the library that set-up fetched, in real workers.
class EngineTest : public testing::Test {
 protected:
  void SetUp() override {
    library_ = test::fetched_onnxruntime();
    if (library_.empty()) GTEST_SKIP() << test::kNoOnnxRuntime;
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
  base::test::TestLog log_{base::Level::warning};
  base::Stop stop_;
  worker::Pool pool_{{test::workers_dir(), 4}, stop_};
};

}  // namespace assay::surgeon
