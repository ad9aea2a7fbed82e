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

TEST(KnownIssues, EveryRowHasAPublicLinkAndASentence) {
  for (const IssueRow& row : known_issues()) {
    EXPECT_TRUE(row.link.starts_with("https://github.com/")) << row.link;
    EXPECT_FALSE(row.what.empty());
    EXPECT_NE(row.failure, Failure::none);
  }
}

}  // namespace
}  // namespace assay::diagnose
