#include "tensorrt/engine_plan.h"

#include <gmock/gmock.h>

#include <filesystem>

namespace assay::tensorrt {
namespace {

using testing::HasSubstr;

base::Expected<EnginePlan> plan(const std::string& option, const std::string& word) {
  GivenSettings given;
  given.add(option, {word});
  return plan_engine(given);
}

TEST(EnginePlan, WithoutSettingsNothingIsSaved) {
  const EnginePlan plan = plan_engine({}).value();
  EXPECT_TRUE(plan.save_engine.empty());
  EXPECT_TRUE(plan.save_timing_cache.empty());
  EXPECT_FALSE(plan.profile);
  EXPECT_FALSE(plan.dla_core);
  EXPECT_FALSE(plan.streaming);
  EXPECT_EQ(plan.allocation, Allocation::once);
}

TEST(EnginePlan, ValuesAreRead) {
  EXPECT_EQ(plan("--optimization-profile", "2")->profile, 2);
  EXPECT_EQ(plan("--allocation-strategy", "runtime")->allocation, Allocation::for_shapes);
  EXPECT_EQ(plan("--allocation-strategy", "profile")->allocation, Allocation::for_profile);
  EXPECT_EQ(plan("--save-engine", "x.plan")->save_engine, std::filesystem::absolute("x.plan").string());
  EXPECT_EQ(plan("--dla-core", "1")->dla_core, 1);
  EXPECT_EQ(plan("--use-dla", "")->dla_core, 0);
  using Kind = StreamingBudget::Kind;
  EXPECT_EQ(plan("--weight-streaming-budget", "-1")->streaming->kind, Kind::automatic);
  EXPECT_EQ(plan("--weight-streaming-budget", "-2")->streaming->kind, Kind::all);
  const auto percent = plan("--weight-streaming-budget", "12.5%")->streaming;
  EXPECT_EQ(percent->kind, Kind::percent);
  EXPECT_EQ(percent->value, 12.5);
  const auto bytes = plan("--weight-streaming-budget", "2G")->streaming;
  EXPECT_EQ(bytes->kind, Kind::bytes);
  EXPECT_EQ(bytes->value, 2.0 * (1 << 30));
}

TEST(EnginePlan, AnEngineThatMayHaveFallenBackToTheGpuNeedsNoDla) {
  GivenSettings given;
  given.add("--use-dla", {});
  given.add("--allow-gpu-fallback", {});
  EXPECT_FALSE(plan_engine(given)->dla_core);
  given.add("--dla-core", {"1"});
  EXPECT_EQ(plan_engine(given)->dla_core, 1);
}

TEST(EnginePlan, WrongValuesAreErrors) {
  EXPECT_THAT(plan("--optimization-profile", "-1").error().message(), HasSubstr("counted from 0"));
  EXPECT_THAT(plan("--optimization-profile", "1x").error().message(), HasSubstr("'1x'"));
  EXPECT_THAT(plan("--dla-core", "x").error().message(), HasSubstr("'x' isn't the index of a core"));
  EXPECT_THAT(plan("--allocation-strategy", "heap").error().message(), HasSubstr("static, profile or runtime"));
  for (const char* word : {"101%", "-1%", "x%", "%", "many"})
    EXPECT_FALSE(plan("--weight-streaming-budget", word)) << word;
  EXPECT_FALSE(plan("--dla-workspace-allocation-strategy", "dynamic"));
}

}  // namespace
}  // namespace assay::tensorrt
