#include "backend/tensorrt/logged_errors.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace assay::backend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kSkipped = "Error Code: 9: Skipping tactic 0x{:x} due to exception canImplement1";
constexpr const char* kNoTactic = "Error Code 10: Internal Error (Could not find any implementation for node conv.)";

TEST(LoggedErrors, HaveTheFirstAndTheNewest) {
  LoggedErrors errors;
  EXPECT_TRUE(errors.empty());
  for (int i = 0; i < 100; ++i) errors.add(fmt::format("error {}", i));
  errors.add("error 99");
  errors.add("error 0");
  const std::vector<std::string> texts = errors.texts();
  ASSERT_EQ(texts.size(), 21);
  EXPECT_EQ(texts[0], "error 0");
  EXPECT_EQ(texts[4], "error 4");
  EXPECT_EQ(texts[5], "(80 errors are left out)");
  EXPECT_EQ(texts[6], "error 85");
  EXPECT_EQ(texts[20], "error 99");
  errors.clear();
  EXPECT_TRUE(errors.empty());
  EXPECT_THAT(errors.texts(), IsEmpty());
}

TEST(LoggedErrors, SkippedTacticsArentErrors) {
  LoggedErrors errors;
  for (int i = 0; i < 100; ++i) errors.add(fmt::format(kSkipped, i));
  EXPECT_TRUE(errors.empty());
  errors.add("no memory");
  EXPECT_THAT(errors.texts(), ElementsAre("no memory"));
  errors.add(kNoTactic);
  EXPECT_THAT(errors.texts(), ElementsAre("no memory", kNoTactic, fmt::format(kSkipped, 99)));
}

TEST(LoggedErrors, TellWhyATacticIsSkipped) {
  EXPECT_EQ(reason_of_skipped_tactic(fmt::format(kSkipped, 7)), "due to exception canImplement1");
  EXPECT_EQ(reason_of_skipped_tactic("9: Skipping tactic 0x1"), "Skipping tactic 0x1");
  EXPECT_EQ(
      reason_of_skipped_tactic("UNSUPPORTED_STATE: Skipping tactic 9 due to insufficient memory on requested size "
                               "of 1048576000 detected for tactic 0x8a196054417f1c8a."),
      "due to insufficient memory");
  EXPECT_FALSE(reason_of_skipped_tactic(kNoTactic));
}

// The words are those of CUDA and TensorRT.
TEST(LoggedErrors, SomeHaveAdvice) {
  EXPECT_THAT(advice_about("Cuda Runtime (the provided PTX was compiled with an unsupported toolchain.)"),
              HasSubstr("Install a newer driver"));
  EXPECT_THAT(advice_about("Cuda Runtime (no kernel image is available for execution on the device)"),
              HasSubstr("no kernels for this GPU"));
  EXPECT_THAT(advice_about("Cannot deserialize plugin since corresponding IPluginCreator not found in Plugin Registry"),
              HasSubstr("--plugins"));
  EXPECT_THAT(
      advice_about("Error Code 9: API Usage Error (Target GPU SM 120 is not supported by this TensorRT release.)"),
      HasSubstr("--trt-lib"));
  EXPECT_THAT(
      advice_about("4: [network.cpp::validate] Error Code 4: Internal Error (fp16 precision has been set for at "
                   "least one layer or layer output, but fp16 is not configured in the builder.)"),
      HasSubstr("--fp16"));
  EXPECT_THAT(
      advice_about("[type.cpp:infer_type:145] Could not infer output types for operation: 40: quantize: q-(fp8["),
      HasSubstr("--strongly-typed"));
  EXPECT_EQ(advice_about(kNoTactic), "");
}

TEST(LoggedErrors, OfASkippedTacticHaveAdviceIfNoOtherIsLeft) {
  LoggedErrors errors;
  errors.add("Skipping tactic 0x0 due to insufficient memory on requested size of 1048576000 detected for tactic 0x0.");
  errors.add(kNoTactic);
  EXPECT_THAT(advice_about(errors.texts().back()), HasSubstr("--pool-limit"));
}

}  // namespace
}  // namespace assay::backend
