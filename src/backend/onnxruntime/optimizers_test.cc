#include "backend/onnxruntime/optimizers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::backend {
namespace {

using testing::ElementsAre;

TEST(OptimizerLog, KeepsTheNamesOfThoseThatChangedTheGraph) {
  OptimizerLog log(ORT_LOGGING_LEVEL_FATAL);
  log.take(ORT_LOGGING_LEVEL_INFO, "GraphTransformer ConstantFolding modified: 1 with status: OK");
  log.take(ORT_LOGGING_LEVEL_INFO, "GraphTransformer MatMulAddFusion modified: 0 with status: OK");
  log.take(ORT_LOGGING_LEVEL_INFO, "Initializing session.");
  log.take(ORT_LOGGING_LEVEL_INFO, "GraphTransformer QDQPropagationTransformer modified: 1 with status: OK");
  log.take(ORT_LOGGING_LEVEL_INFO, "GraphTransformer ConstantFolding modified: 1 with status: OK");
  EXPECT_THAT(log.names(), ElementsAre("ConstantFolding", "QDQPropagationTransformer"));
}

}  // namespace
}  // namespace assay::backend
