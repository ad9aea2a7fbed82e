#include "run/engine_runner.h"

#include <gtest/gtest.h>

namespace assay::run {
namespace {

TEST(PrecisionNote, NamesTheOptionOfTheEngine) {
  worker::SessionInfo reduced;
  reduced.reduced_precision = "bf16";
  EXPECT_EQ(precision_note(reduced, {.kind = "openvino", .library = {}, .options = {}}),
            "The engine computes float32 nodes in bf16, so its results are less exact; --openvino-config "
            "INFERENCE_PRECISION_HINT=f32 computes in float32");
  EXPECT_EQ(precision_note(reduced, {.kind = "onnxruntime", .library = {}, .options = {}}),
            "The engine computes float32 nodes in bf16, so its results are less exact")
      << "it has no such option";
  EXPECT_EQ(precision_note({}, {.kind = "openvino", .library = {}, .options = {}}), "");
}

}  // namespace
}  // namespace assay::run
