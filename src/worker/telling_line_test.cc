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

// The messages are those of ONNX Runtime 1.31.1.
TEST(TellingLine, LeavesOutWhereOnnxRuntimeFailed) {
  EXPECT_EQ(
      telling_line(
          "the engine failed while building: [ONNXRuntimeError] : 1 : FAIL : Load model from a b.onnx failed:"
          "/onnxruntime_src/onnxruntime/core/graph/model.cc:256 onnxruntime::Model::Model(onnx::ModelProto&&, "
          "const onnxruntime::PathString&, const onnxruntime::logging::Logger&) Unsupported model IR version: 99"),
      "the engine failed while building: Unsupported model IR version: 99");
  EXPECT_EQ(telling_line("[ONNXRuntimeError] : 1 : FAIL : Load model from m.onnx failed:/onnxruntime_src/onnxruntime/"
                         "core/graph/model_load_utils.h:46 void onnxruntime::model_load_utils::ValidateOpsetForDomain("
                         "const std::unordered_map<std::__cxx11::basic_string<char>, int>&, bool, int) ONNX Runtime "
                         "only *guarantees* support"),
            "ONNX Runtime only *guarantees* support");
  EXPECT_EQ(telling_line("[ONNXRuntimeError] : 9 : NOT_IMPLEMENTED : Could not find an implementation for Max(13)"),
            "Could not find an implementation for Max(13)");
}

TEST(TellingLine, KeepsTheNodeAndTheConditionOfOnnxRuntime) {
  EXPECT_EQ(
      telling_line("[ONNXRuntimeError] : 1 : FAIL : Non-zero status code returned while running Reshape node. "
                   "Name:'flatten' Status Message: /onnxruntime_src/onnxruntime/core/providers/cpu/tensor/"
                   "reshape_helper.h:84 onnxruntime::ReshapeHelper::ReshapeHelper(const onnxruntime::TensorShape&,"
                   " onnxruntime::TensorShapeVector&, bool) size != 0 && (input_shape_size % size) == 0 was "
                   "false. The input tensor cannot be reshaped"),
      "Non-zero status code returned while running Reshape node. Name:'flatten' Status Message: size != 0 && "
      "(input_shape_size % size) == 0 was false. The input tensor cannot be reshaped");
  EXPECT_EQ(telling_line("/src/onnxruntime/core/a.cc:7 int onnxruntime::A<T>::f(int) const [with T = float] why"),
            "why");
}

TEST(TellingLine, KeepsWhatItCannotRead) {
  for (const char* text :
       {"[ONNXRuntimeError] : 1", "/onnxruntime/core/", "/onnxruntime/core/a.cc:7", "/onnxruntime/core/a.cc:7 f",
        "/onnxruntime/core/a.cc:7 f(", "/onnxruntime/core/a.cc is gone", "Load model from m.onnx"}) {
    EXPECT_EQ(without_origin(text), text);
  }
}

}  // namespace
}  // namespace assay::worker
