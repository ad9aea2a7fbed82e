#include "worker/telling_line.h"

#include <gtest/gtest.h>

namespace assay::worker {
namespace {

TEST(TellingLine, IsTheFirstOneOfMostEngines) {
  EXPECT_EQ(telling_line("Unsupported model IR version: 14\nmore"), "Unsupported model IR version: 14");
  EXPECT_EQ(telling_line(""), "");
}

// The messages are those of OpenVINO 2026.4.1, for test_sequence_map_add_2_sequences and test_affine_grid_2d_expanded
// of ONNX's node tests.
TEST(TellingLine, NamesOperatorsThatOpenVinoDoesNotKnow) {
  EXPECT_EQ(
      telling_line("the engine failed while loading the model: Exception from src/inference/src/cpp/core.cpp:84:\n"
                   "Check 'false' failed at src/frontends/common_translators/src/unconverted_ops_report.cpp:151:\n"
                   "FrontEnd API failed with OpConversionFailure:\n"
                   "Model wasn't fully converted.\n"
                   "Summary:\n"
                   "-- No conversion rule found for operations: SequenceMap-17 (in OpenVINO)"),
      "the engine failed while loading the model: No conversion rule found for operations: SequenceMap-17 (in "
      "OpenVINO)");
}

// The message for test_castlike_INT2_to_FLOAT16_expanded.
TEST(TellingLine, SaysWhyOpenVinoCannotReadAModel) {
  EXPECT_EQ(telling_line("Exception from src/inference/src/cpp/core.cpp:84:\n"
                         "Check 'false' failed at src/frontends/common/src/frontend.cpp:47:\n"
                         "Loading input model\n"
                         "Unsupported type"),
            "Unsupported type");
}

TEST(TellingLine, SaysWhyOpenVinoCannotConvertAnOperator) {
  EXPECT_EQ(
      telling_line("Exception from src/inference/src/cpp/core.cpp:84:\n"
                   "Check 'false' failed at src/frontends/common_translators/src/unconverted_ops_report.cpp:151:\n"
                   "FrontEnd API failed with OpConversionFailure:\n"
                   "Model wasn't fully converted. Failed operations detailed log:\n"
                   "-- Split-20 with a message:\n"
                   "While validating ONNX node '<Node(Split): r21>': Check 'false' failed at split.cpp:35:\n"
                   "FrontEnd API failed with GeneralFailure:\n"
                   "The split number is invalid\n\nSummary:\n"
                   "-- Conversion is failed for: Split-20"),
      "The split number is invalid");
}

TEST(TellingLine, IsTheFirstOneIfNoneSaysWhy) {
  EXPECT_EQ(telling_line("Exception from a.cpp:1:\nCheck 'x' failed at b.cpp:2:"), "Exception from a.cpp:1:");
}

}  // namespace
}  // namespace assay::worker
