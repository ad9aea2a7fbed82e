#include "tensorrt/config_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::tensorrt {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

GivenSettings given(const std::vector<std::pair<std::string, Words>>& options) {
  GivenSettings settings;
  for (const auto& [name, words] : options) settings.add(name, words);
  return settings;
}

std::string error_of(const std::vector<std::pair<std::string, Words>>& options) {
  const auto plan = plan_config(given(options), {});
  return plan ? "" : plan.error().message();
}

TEST(ConfigPlan, IsTensorRtsDefaultButForTf32AndDetails) {
  const ConfigPlan plan = plan_config({}, {}).value();
  EXPECT_THAT(plan.profiles, IsEmpty());
  EXPECT_THAT(plan.flags, IsEmpty());
  EXPECT_THAT(plan.cleared, ElementsAre("TF32"));
  EXPECT_EQ(plan.choices.at("profiling_verbosity").name, "DETAILED");
}

TEST(ConfigPlan, BestAllowsAllLowPrecisionsOfTheGpu) {
  EXPECT_THAT(plan_config(given({{"--best", {}}}), {}).value().flags_of_best, ElementsAre("FP16", "BF16", "INT8"));
  const ConfigPlan plan = plan_config(given({{"--best", {}}, {"--bf16", {}}}), {}).value();
  EXPECT_THAT(plan.flags, ElementsAre("BF16")) << "asked for on any GPU";
  EXPECT_THAT(plan.flags_of_best, ElementsAre("FP16", "INT8"));
}

TEST(ConfigPlan, AStronglyTypedNetworkHasThePrecisionsOfTheModel) {
  for (const char* option : {"--best", "--fp16", "--bf16", "--fp8", "--int8", "--layer-precisions",
                             "--precision-constraints", "--calibration-cache"}) {
    const auto plan = plan_config(given({{option, {}}, {"--strongly-typed", {}}}), {});
    ASSERT_FALSE(plan);
    EXPECT_THAT(plan.error().message(), HasSubstr(std::string("Leave out ") + option + " or --strongly-typed"));
  }
  EXPECT_TRUE(plan_config(given({{"--tf32", {}}, {"--strongly-typed", {}}}), {}));
  EXPECT_TRUE(plan_config(given({{"--precision-constraints", {"none"}}, {"--strongly-typed", {}}}), {}));
}

TEST(ConfigPlan, HasAProfileForEachOccurrenceOfTheOptions) {
  const ConfigPlan plan = plan_config(given({{"--trt-min-shapes", {"x:[1,3]", "a:b:[]"}},
                                             {"--trt-opt-shapes", {"x:[2,3]"}},
                                             {"--trt-max-shapes", {"x:(4, 3)"}},
                                             {"--trt-opt-shapes", {"x:[6,3]"}},
                                             {"--trt-max-shapes", {"x:[7,3]"}}}),
                                      {{"x", {5, 3}}})
                              .value();
  ASSERT_EQ(plan.profiles.size(), 2U);
  EXPECT_EQ(plan.profiles[0].inputs.at("x").min, (Shape{1, 3}));
  EXPECT_EQ(plan.profiles[0].inputs.at("x").max, (Shape{4, 3}));
  EXPECT_EQ(plan.profiles[0].inputs.at("a:b").max, Shape{});  // of a fixed size: given once
  EXPECT_EQ(plan.profiles[1].inputs.at("x").min, (Shape{5, 3}));
  EXPECT_EQ(plan.profiles[1].inputs.at("x").opt, (Shape{6, 3}));
  EXPECT_FALSE(plan.profiles[1].inputs.contains("a:b"));
}

// The numbers are those of Polygraphy's `template trt-config` with the same options.
TEST(ConfigPlan, LaterProfilesKeepShapesOfEarlierOnes) {
  const GivenSettings kept = keep_shapes(given({{"--trt-min-shapes", {"a:[1]", "b:[7]"}},
                                                {"--trt-min-shapes", {"a:[4]"}},
                                                {"--trt-opt-shapes", {"a:[2]"}},
                                                {"--trt-max-shapes", {"a:[3]", "b:[9]"}},
                                                {"--trt-max-shapes", {"a:[6]"}},
                                                {"--trt-max-shapes", {"a:[8]"}}}));
  const ConfigPlan plan = plan_config(kept, {}).value();
  ASSERT_EQ(plan.profiles.size(), 3U);
  const auto range = [&plan](std::size_t profile, const char* input) {
    const Profile::Range& found = plan.profiles[profile].inputs.at(input);
    return std::vector{found.min.at(0), found.opt.at(0), found.max.at(0)};
  };
  EXPECT_THAT(range(0, "a"), ElementsAre(1, 2, 3));
  EXPECT_THAT(range(0, "b"), ElementsAre(7, 7, 9));
  EXPECT_THAT(range(1, "a"), ElementsAre(4, 4, 6));
  EXPECT_THAT(range(1, "b"), ElementsAre(9, 9, 9));
  EXPECT_THAT(range(2, "a"), ElementsAre(6, 6, 8));
  EXPECT_THAT(range(2, "b"), ElementsAre(9, 9, 9));
}

TEST(ConfigPlan, AProfileMayNameInputsByAWildcard) {
  const ConfigPlan plan =
      plan_config(given({{"--trt-min-shapes", {"past_*:[1]", "past_1:[2]", "x[0]:[3]"}}}), {}).value();
  const Profile& profile = plan.profiles.at(0);
  ASSERT_NE(profile.find("past_0"), nullptr);
  EXPECT_EQ(profile.find("past_0")->min, Shape{1});
  EXPECT_EQ(profile.find("past_1")->min, Shape{2}) << "a name wins";
  EXPECT_EQ(profile.find("x[0]")->min, Shape{3});
  EXPECT_EQ(profile.find("mask"), nullptr);
  EXPECT_TRUE(check_inputs(plan, {"past_0", "past_1", "x[0]"}));
  EXPECT_TRUE(check_inputs(plan, {"past_1", "x[0]"})) << "past_* stands for past_1, too";
  EXPECT_FALSE(check_inputs(plan, {"x[0]"}));
}

TEST(ConfigPlan, OnlyShapesThatProfilesDontMentionAreOptional) {
  const ConfigPlan plan = plan_config(given({{"--trt-min-shapes", {"x:[1]"}}}), {{"x", {5}}, {"z", {2}}}).value();
  ASSERT_EQ(plan.profiles.size(), 1U);
  EXPECT_FALSE(plan.profiles[0].inputs.at("x").is_optional);
  EXPECT_TRUE(plan.profiles[0].inputs.at("z").is_optional);
}

TEST(ConfigPlan, ValuesOfShapeTensorsCanBeNegative) {
  const ConfigPlan plan = plan_config(given({{"--trt-min-shapes", {"target:[-1,4]"}}}), {}).value();
  EXPECT_EQ(plan.profiles.at(0).inputs.at("target").min, (Shape{-1, 4}));
}

TEST(ConfigPlan, RefusesProfilesThatTensorRtWouldRefuse) {
  EXPECT_THAT(error_of({{"--trt-min-shapes", {"x:[2]"}}, {"--trt-max-shapes", {"x:[1]"}}}), HasSubstr("decrease"));
  EXPECT_THAT(error_of({{"--trt-min-shapes", {"x:[2]"}}, {"--trt-max-shapes", {"x:[2,1]"}}}), HasSubstr("ranks"));
  EXPECT_THAT(error_of({{"--trt-max-shapes", {"x:[2]"}}}), HasSubstr("profile 1 has no shape for the input 'x'"));
  EXPECT_THAT(error_of({{"--trt-min-shapes", {"x:[N]"}}}), HasSubstr("'N' in 'x:[N]' isn't a fixed size"));
  EXPECT_THAT(error_of({{"--trt-min-shapes", {"x:2"}}}), HasSubstr("'2' isn't a shape"));
  EXPECT_THAT(error_of({{"--trt-min-shapes", {"[2]"}}}), HasSubstr("lacks a name or a value"));
}

TEST(ConfigPlan, KnowsTheInputsOfTheModel) {
  const ConfigPlan plan = plan_config({}, {{"image", {1, 3}}}).value();
  EXPECT_TRUE(check_inputs(plan, {"mask", "image"}));
  EXPECT_THAT(check_inputs(plan, {"images"}).error().message(), HasSubstr("Did you mean images?"));
}

TEST(ConfigPlan, ReadsFlagsNumbersAndEnumerators) {
  const ConfigPlan plan = plan_config(given({{"--fp16", {}},
                                             {"--tf32", {}},
                                             {"--precision-constraints", {"obey"}},
                                             {"--max-aux-streams", {"2"}},
                                             {"--hardware-compatibility-level", {"ampere_plus"}},
                                             {"--tactic-sources", {"cublas", "CUDNN"}},
                                             {"--preview-features", {}},
                                             {"--pool-limit", {"workspace:1.5G", "tactic_dram:16M"}}}),
                                      {})
                              .value();
  EXPECT_THAT(plan.flags, ElementsAre("TF32", "FP16", "OBEY_PRECISION_CONSTRAINTS"));
  EXPECT_THAT(plan.cleared, IsEmpty());
  EXPECT_EQ(plan.numbers.at("max_aux_streams"), 2);
  EXPECT_EQ(plan.choices.at("hardware_compatibility_level").name, "AMPERE_PLUS");
  EXPECT_THAT(plan.lists.at("set_tactic_sources").names, ElementsAre("CUBLAS", "CUDNN"));
  EXPECT_THAT(plan.lists.at("set_preview_feature").names, IsEmpty());
  EXPECT_EQ(plan.pool_limits.at("WORKSPACE"), 3U << 29);
  EXPECT_EQ(plan.pool_limits.at("TACTIC_DRAM"), 16U << 20);
}

TEST(ConfigPlan, TheBaseOfAllCalibratorsIsTheUsualOne) {
  const auto plan = plan_config(given({{"--int8", {}}, {"--calib-base-cls", {"IInt8Calibrator"}}}), {});
  EXPECT_EQ(plan->calibrator->base, "IInt8EntropyCalibrator2");
}

TEST(ConfigPlan, RefusesWrongValues) {
  EXPECT_THAT(error_of({{"--precision-constraints", {"always"}}}), HasSubstr("no mode 'always'"));
  EXPECT_THAT(error_of({{"--max-aux-streams", {"2x"}}}), HasSubstr("'2x' isn't a number"));
  EXPECT_THAT(error_of({{"--builder-optimization-level", {"4294967299"}}}),
              HasSubstr("can't have the number 4294967299"));
  EXPECT_THAT(error_of({{"--dla-core", {"-1"}}}), HasSubstr("'-1' isn't the index of a core"));
  EXPECT_THAT(error_of({{"--tactic-sources", {"os.system('x')"}}}), HasSubstr("can't be a name in TensorRT"));
  EXPECT_THAT(error_of({{"--pool-limit", {"workspace"}}}), HasSubstr("lacks a name or a value"));
  EXPECT_THAT(error_of({{"--quantile", {"0.5"}}}), HasSubstr("there is no calibration"));
  EXPECT_THAT(error_of({{"--calibration-cache", {"c"}}, {"--calib-base-cls", {"A B"}}}), HasSubstr("can't be a name"));
  EXPECT_THAT(error_of({{"--calibration-cache", {"c"}}, {"--quantile", {"0.5"}}}), HasSubstr("IInt8LegacyCalibrator"));
  for (const char* option : {"--quantile", "--regression-cutoff"}) {
    EXPECT_THAT(error_of({{"--int8", {}}, {"--calib-base-cls", {"IInt8LegacyCalibrator"}}, {option, {"1.5"}}}),
                HasSubstr("1.5 isn't between 0 and 1"));
  }
  EXPECT_THAT(error_of({{"--save-tactics", {"s.json"}}, {"--load-tactics", {"l.json"}}}),
              HasSubstr("Leave out --save-tactics or --load-tactics"));
}

TEST(ConfigPlan, TacticsOfLayersThatAreAlikeAreFoundSeparately) {
  const auto flags = [](const std::vector<std::pair<std::string, Words>>& options) {
    return plan_config(given(options), {}).value().flags;
  };
  for (const char* tactics : {"--save-tactics", "--load-tactics"}) {
    EXPECT_THAT(flags({{tactics, {"t.json"}}}), ElementsAre("DISABLE_TIMING_CACHE"));
    EXPECT_THAT(flags({{tactics, {"t.json"}}, {"--load-timing-cache", {"t.cache"}}}), IsEmpty());
    EXPECT_THAT(flags({{tactics, {"t.json"}}, {"--save-timing-cache", {"t.cache"}}}), IsEmpty());
  }
}

TEST(ConfigPlan, LayersOnTheDlaAreInFloat16OrInt8AndInputsKeepTheirFormats) {
  const auto flags = [](std::vector<std::pair<std::string, Words>> options) {
    options.emplace_back("--use-dla", Words{});
    return plan_config(given(options), {}).value().flags_of_10;
  };
  EXPECT_THAT(flags({}), ElementsAre("FP16", "PREFER_PRECISION_CONSTRAINTS", "DIRECT_IO"));
  EXPECT_THAT(flags({{"--int8", {}}}), ElementsAre("PREFER_PRECISION_CONSTRAINTS", "DIRECT_IO"));
  EXPECT_THAT(flags({{"--strongly-typed", {}}}), ElementsAre("DIRECT_IO"));
  EXPECT_THAT(flags({{"--allow-gpu-fallback", {}}}), ElementsAre("FP16", "PREFER_PRECISION_CONSTRAINTS"));
  EXPECT_THAT(flags({{"--fp16", {}}, {"--direct-io", {}}, {"--precision-constraints", {"prefer"}}}), IsEmpty())
      << "are set anyway";
  EXPECT_THAT(flags({{"--int8", {}}, {"--precision-constraints", {"obey"}}}), ElementsAre("DIRECT_IO"));
  EXPECT_THAT(flags({{"--trt-config-script", {"x.py"}}}), IsEmpty());
  EXPECT_THAT(plan_config({}, {}).value().flags_of_10, IsEmpty());
}

TEST(ConfigPlan, OnlyAnEngineWithItsRuntimeContainsPlugins) {
  const std::pair<std::string, Words> plugins = {"--serialize-plugins", {"a.so", "a.so", "b.so"}};
  const auto plan = plan_config(given({plugins, {"--version-compatible", {}}}), {});
  ASSERT_TRUE(plan) << plan.error().message();
  EXPECT_THAT(plan->plugins, ElementsAre(absolute_path("a.so"), absolute_path("b.so")));
  EXPECT_THAT(error_of({plugins}), HasSubstr("Add --version-compatible"));
  EXPECT_THAT(error_of({plugins, {"--version-compatible", {}}, {"--exclude-lean-runtime", {}}}),
              HasSubstr("leave out --exclude-lean-runtime"));
  EXPECT_THAT(error_of({plugins, {"--trt-config-script", {"x.py"}}}), "");
}

// A setting without a member needs a rule in plan_config(); one without any would be accepted and ignored.
TEST(ConfigPlan, HasAPlaceForEachSetting) {
  const auto rules = {"--trt-min-shapes", "--trt-opt-shapes",        "--trt-max-shapes",
                      "--pool-limit",     "--calibration-cache",     "--calib-base-cls",
                      "--quantile",       "--regression-cutoff",     "--load-timing-cache",
                      "--save-tactics",   "--load-tactics",          "--trt-config-script",
                      "--use-dla",        "--precision-constraints", "--trt-config-postprocess-script",
                      "--dla-core",       "--serialize-plugins",     "--best"};
  for (const Setting& setting : config_settings()) {
    if (setting.member.empty()) {
      EXPECT_THAT(rules, Contains(setting.name()));
    } else {
      EXPECT_THAT(rules, Not(Contains(setting.name())));
    }
  }
}

}  // namespace
}  // namespace assay::tensorrt
