#include "diagnose/known_issues.h"

#include <gtest/gtest.h>

namespace assay::diagnose {
namespace {

Symptoms of(std::string engine, Failure failure, std::set<std::string, std::less<>> operators, std::string message) {
  return {.engine = std::move(engine),
          .version = "1.31.1",
          .opset = 17,
          .failure = failure,
          .operators = std::move(operators),
          .message = std::move(message)};
}

TEST(KnownIssues, EngineFailureOperatorsAndMessageHaveToFit) {
  const std::set<std::string, std::less<>> quantized = {"Conv", "QuantizeLinear", "DequantizeLinear"};
  const char* const message = "output differs QDQSelectorActionTransformer";
  const IssueRow* row = match_issue(of("onnxruntime", Failure::differs, quantized, message));
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->link, "https://github.com/microsoft/onnxruntime/issues/32132");
  EXPECT_EQ(match_issue(of("openvino", Failure::differs, quantized, message)), nullptr);
  EXPECT_EQ(match_issue(of("onnxruntime", Failure::random, quantized, message)), nullptr);
  EXPECT_EQ(match_issue(of("onnxruntime", Failure::differs, {"Conv"}, message)), nullptr);
  EXPECT_EQ(match_issue(of("onnxruntime", Failure::differs, quantized, "output differs")), nullptr);
}

TEST(KnownIssues, TheOperatorSetHasToFit) {
  Symptoms symptoms = of("reference", Failure::differs, {"BatchNormalization"}, "");
  EXPECT_EQ(match_issue(symptoms), nullptr);
  symptoms.opset = 14;
  EXPECT_EQ(match_issue(symptoms), nullptr);
  symptoms.opset = 13;
  EXPECT_NE(match_issue(symptoms), nullptr);
  symptoms.opset = 8;
  EXPECT_EQ(match_issue(symptoms), nullptr);
}

TEST(KnownIssues, TheVersionHasToBeOlderThanTheFix) {
  Symptoms symptoms = of("onnxruntime", Failure::differs, {"Transpose", "Gemm"}, "differs GemmTransposeFusion");
  EXPECT_EQ(match_issue(symptoms), nullptr);
  symptoms.version = "1.30.0";
  EXPECT_EQ(match_issue(symptoms), nullptr);
  symptoms.version = "1.27.0";
  ASSERT_NE(match_issue(symptoms), nullptr);
  EXPECT_EQ(match_issue(symptoms)->link, "https://github.com/microsoft/onnxruntime/issues/32228");
  symptoms.failure = Failure::refused;
  ASSERT_NE(match_issue(symptoms), nullptr);
  EXPECT_EQ(match_issue(symptoms)->link, "https://github.com/microsoft/onnxruntime/issues/32417");
}

TEST(KnownIssues, TheOptimizerAtFaultIsPartOfTheMessage) {
  Symptoms symptoms = of("onnxruntime", Failure::differs, {"Pad", "AveragePool"}, "output 'y' differs by 0.2");
  symptoms.version = "1.20.1";
  EXPECT_EQ(match_issue(symptoms), nullptr);
  symptoms.message += " Pad_Fusion";
  ASSERT_NE(match_issue(symptoms), nullptr);
  EXPECT_EQ(match_issue(symptoms)->link, "https://github.com/microsoft/onnxruntime/issues/22177");
}

// As the engines word them.
TEST(KnownIssues, MessagesOfEnginesAreRecognised) {
  const auto link = [](const Symptoms& symptoms) {
    const IssueRow* const row = match_issue(symptoms);
    return row == nullptr ? std::string_view() : row->link;
  };
  EXPECT_EQ(link(of("onnxruntime", Failure::refused, {"StringNormalizer"},
                    "Exception during initialization: string_normalizer.cc:235 Failed to construct locale with "
                    "name:en_US.UTF-8:locale::facet::_S_create_c_locale name not valid")),
            "https://github.com/microsoft/onnxruntime/issues/17017");
  EXPECT_EQ(link(of("onnxruntime", Failure::refused, {"ConcatFromSequence", "SequenceErase"},
                    "Non-zero status code returned while running ConcatFromSequence node. Name:'c' Status Message: "
                    "concatbase.h:39 PrepareForComputeImpl Must have 1 or more inputs")),
            "https://github.com/microsoft/onnxruntime/issues/16619");
  EXPECT_EQ(link(of("openvino", Failure::refused, {"Loop"},
                    "The provided loop body graph canonical inputs size (18), does not match the sum of loop carried "
                    "dependencies and two mandatory inputs (32)")),
            "https://github.com/openvinotoolkit/openvino/issues/35874");
}

TEST(KnownIssues, EveryRowHasAPublicLinkAndASentence) {
  for (const IssueRow& row : known_issues()) {
    EXPECT_TRUE(row.link.starts_with("https://github.com/")) << row.link;
    EXPECT_FALSE(row.what.empty());
    EXPECT_NE(row.failure, Failure::none);
  }
}

}  // namespace
}  // namespace assay::diagnose
