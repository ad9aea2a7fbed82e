#include "cli/checks/sees_candidates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/test_log.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;
using Words = std::vector<std::string>;

class SeesCandidates : public testing::Test {
 protected:
  base::Status verify(const Words& command) {
    reduce::CheckSetup check;
    check.command = command;
    check.artifact = "candidate.onnx";
    check.whole = "whole.onnx";
    return verify_sees_candidates(check, {.executable = fs::path("/bin/assay"), .libexec = {}, .engines = {}}, log_);
  }
  base::test::TestLog log_;
};

TEST_F(SeesCandidates, RefusesItsOwnCommandOnAnotherModel) {
  const auto status = verify({"assay", "run", "whole.onnx", "--onnxrt"});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().what, "the check doesn't run the candidates");
  EXPECT_TRUE(verify({"assay", "run", "candidate.onnx", "--onnxrt"}));
  EXPECT_TRUE(verify({"assay", "run", "{model}", "--onnxrt"}));
  EXPECT_THAT(log_.messages(), IsEmpty());
}

TEST_F(SeesCandidates, WarnsAboutOtherCommands) {
  EXPECT_TRUE(verify({"true", "{model}"}));
  EXPECT_THAT(log_.messages(), IsEmpty());
  EXPECT_TRUE(verify({"true"}));
  EXPECT_THAT(log_.messages(), ElementsAre(StartsWith("The check mentions neither 'candidate.onnx' nor {model}")));
}

}  // namespace
}  // namespace assay::cli
