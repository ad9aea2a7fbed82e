#include "backend/tensorrt/sdk/logger.h"

#include <gtest/gtest.h>

#include <optional>

namespace assay::backend {
namespace {

using Severity = nvinfer1::ILogger::Severity;

TEST(TensorRtLogger, IsSilentUntilTheLastSilenceEnds) {
  TensorRtLogger logger;
  std::optional<TensorRtLogger::Silence> outer(logger);
  { const auto inner = logger.silence(); }
  logger.log(Severity::kERROR, "harmless");
  EXPECT_TRUE(logger.check(worker::Phase::build));
  outer.reset();
  logger.log(Severity::kERROR, "real");
  EXPECT_FALSE(logger.check(worker::Phase::build));
  EXPECT_EQ(logger.take_messages().size(), 1);
}

}  // namespace
}  // namespace assay::backend
