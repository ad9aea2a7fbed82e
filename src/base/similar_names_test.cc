#include "base/similar_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::base {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<std::string> kNames = {"--until-nodes", "--max-checks", "--check", "--rtol", "--atol"};

TEST(SimilarNames, FindsTypingErrorsInAnyCase) {
  EXPECT_THAT(similar_names(kNames, "--until-node", 1), ElementsAre("--until-nodes"));
  EXPECT_THAT(similar_names(kNames, "--MAX-CHEKS", 1), ElementsAre("--max-checks"));
  EXPECT_THAT(similar_names(kNames, "--ctol", 3), ElementsAre("--rtol", "--atol"));
}

TEST(SimilarNames, PutsNamesThatContainTheWordFirst) {
  EXPECT_THAT(similar_names({"cheek", "checks"}, "check", 2), ElementsAre("checks", "cheek"));
}

TEST(SimilarNames, FindsAbbreviations) {
  EXPECT_THAT(similar_names({"--load-runtime", "--onnxrt"}, "--onnxruntime", 1), ElementsAre("--onnxrt"));
  EXPECT_THAT(similar_names({"--trt", "--onnxrt"}, "--ort", 2), ElementsAre("--trt", "--onnxrt"));
  EXPECT_THAT(similar_names({"convolution_of_everything"}, "cing", 1), IsEmpty());
}

TEST(SimilarNames, ReturnsNoneIfNothingIsSimilar) {
  EXPECT_THAT(similar_names(kNames, "--something-else", 3), IsEmpty());
  EXPECT_EQ(did_you_mean(kNames, "--something-else"), "");
  EXPECT_EQ(did_you_mean(kNames, "--ctol"), "Did you mean --rtol or --atol?");
}

}  // namespace
}  // namespace assay::base
