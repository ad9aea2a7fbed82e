#include "backend/tensorrt/options.h"

#include <gmock/gmock.h>

#include "tensorrt/encode_settings.h"

namespace assay::backend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string error(const std::map<std::string, std::string>& options) {
  const auto parsed = parse_tensorrt_options(options, 10);
  return parsed ? "no error" : parsed.error().failed.message;
}

std::string error_of_setting(const std::string& name, const tensorrt::Words& words) {
  tensorrt::GivenSettings given;
  given.add(name, words);
  return error(tensorrt::encode_settings(given));
}

TEST(Options, SettingsBecomePlans) {
  tensorrt::GivenSettings given;
  given.add("--fp16", {});
  given.add("--trt-max-shapes", {"x:[8,3]"});
  given.add("--trt-outputs", {"y"});
  given.add("--optimization-profile", {"1"});
  given.add("input_shapes", {"x:[2,3]", "z:[1]"});
  auto options = tensorrt::encode_settings(given);
  options.insert({{"device", "2"}, {"save_built", "/tmp/x.plan"}});
  const TensorRtOptions parsed = parse_tensorrt_options(options, 10).value();
  EXPECT_EQ(parsed.device, 2);
  EXPECT_FALSE(parsed.model_is_engine);
  EXPECT_THAT(parsed.config.flags, ElementsAre("FP16"));
  EXPECT_EQ(parsed.config.profiles.at(0).inputs.at("x").opt, (tensorrt::Shape{2, 3}));
  EXPECT_EQ(parsed.config.profiles.at(0).inputs.at("x").max, (tensorrt::Shape{8, 3}));
  EXPECT_EQ(parsed.config.profiles.at(0).inputs.at("z").max, (tensorrt::Shape{1}));
  EXPECT_THAT(parsed.network.outputs, ElementsAre("y"));
  EXPECT_FALSE(parsed.network.kept_outputs);
  EXPECT_EQ(parsed.engine.profile, 1);
  EXPECT_EQ(parsed.engine.save_engine, "/tmp/x.plan");
}

TEST(Options, SettingsThatTensorRt11RemovedSayWhatToDoInstead) {
  const auto error_in_11 = [](const std::string& name, const tensorrt::Words& words) {
    tensorrt::GivenSettings given;
    given.add(name, words);
    const auto parsed = parse_tensorrt_options(tensorrt::encode_settings(given), 11);
    return parsed ? "no error" : parsed.error().failed.message;
  };
  EXPECT_EQ(error_in_11("--fp16", {}),
            "TensorRT 11 no longer has --fp16. Its layers compute in the types of the model: convert that with `assay "
            "convert --fp-to-fp16` or `assay debug precision --onnxrt`, or use TensorRT 10");
  EXPECT_THAT(error_in_11("--int8", {}), HasSubstr("Quantize the model"));
  EXPECT_THAT(error_in_11("--best", {}), HasSubstr("no longer has --best. Quantize the model"));
  EXPECT_THAT(error_in_11("--layer-precisions", {"a:float32"}), HasSubstr("Cast nodes"));
  EXPECT_EQ(error_in_11("--load-tactics", {"replay.json"}),
            "TensorRT 11 no longer has --load-tactics. Use --editable-timing-cache and --load-timing-cache, or use "
            "TensorRT 10");
  EXPECT_EQ(
      error_in_11("--tactic-sources", {"jit_convolutions", "cublas"}),
      "TensorRT 11 has removed 'CUBLAS' from TacticSource (in --tactic-sources). Leave it out, or use TensorRT 10");
  EXPECT_EQ(error_in_11("--tactic-sources", {"of_a_later_version"}), "no error");
  EXPECT_EQ(error_in_11("--preview-features", {"aliased_plugin_io_10_03"}), "no error");
  EXPECT_EQ(error_in_11("--strongly-typed", {}), "no error");
  EXPECT_EQ(error_in_11("--tf32", {}), "no error");
}

TEST(Options, APartOfAModelNeedNotHaveItsInputsAndOutputs) {
  tensorrt::GivenSettings given;
  given.add("--trt-min-shapes", {"x:[1,3]"});
  given.add("outputs", {"s", "t"});
  auto options = tensorrt::encode_settings(given);
  EXPECT_FALSE(parse_tensorrt_options(options, 10)->config.profiles.at(0).inputs.at("x").is_optional);
  options["--trt-optional-profiles"] = "[[]]";
  const TensorRtOptions parsed = parse_tensorrt_options(options, 10).value();
  EXPECT_TRUE(parsed.config.profiles.at(0).inputs.at("x").is_optional);
  EXPECT_THAT(*parsed.network.kept_outputs, ElementsAre("s", "t"));
}

TEST(Options, WrongOnesAreRefused) {
  EXPECT_THAT(error({{"speed", "11"}}), HasSubstr("no option 'speed'"));
  EXPECT_THAT(error({{"model_type", "uff"}}), HasSubstr("'model_type' with the value 'uff'"));
  EXPECT_THAT(error({{"device", "one"}}), HasSubstr("'one' isn't the number of a GPU"));
  EXPECT_THAT(error({{"--fp16", "yes"}}), HasSubstr("--fp16"));
  EXPECT_THAT(error_of_setting("--trt-min-shapes", {"x:[N]"}), HasSubstr("isn't a fixed size"));
  EXPECT_THAT(error_of_setting("input_shapes", {"x:[-1]"}), HasSubstr("isn't a fixed size"));
}

TEST(Options, AnEngineThatExistsTakesOnlySettingsForRunningIt) {
  tensorrt::GivenSettings given;
  given.add("--optimization-profile", {"1"});
  given.add("--plugins", {"a.so"});
  given.add("--mark-unfused-tensors-as-debug-tensors", {});
  auto options = tensorrt::encode_settings(given);
  options["model_type"] = "engine";
  EXPECT_TRUE(parse_tensorrt_options(options, 10)->engine.shows_unfused);
  options["--dla-core"] = "[[\"1\"]]";
  EXPECT_EQ(parse_tensorrt_options(options, 10)->engine.dla_core, 1);
  EXPECT_TRUE(parse_tensorrt_options(options, 10)->model_is_engine);
  for (const char* setting : {"--fp16", "--trt-outputs", "--onnx-flags", "--save-tactics", "--save-timing-cache"}) {
    auto more = options;
    more[setting] = "[[]]";
    EXPECT_THAT(error(more), HasSubstr(std::string(setting) + " says how an engine is built"));
  }
}

TEST(Options, ACoreOfTheDlaNeedsTheDla) {
  EXPECT_THAT(error_of_setting("--dla-core", {"1"}), HasSubstr("--dla-core has no effect without --use-dla"));
}

TEST(Options, OnlyWhatIsBuiltAndSavedNeedNotBeOpened) {
  EXPECT_TRUE(parse_tensorrt_options({{"build_only", "on"}, {"save_built", "a.plan"}}, 10)->only_builds);
  EXPECT_THAT(error({{"build_only", "on"}}), HasSubstr("build_only needs a model to build, and save_built"));
  EXPECT_THAT(error({{"build_only", "on"}, {"save_built", "a.plan"}, {"model_type", "engine"}}),
              HasSubstr("build_only needs a model to build"));
}

TEST(Options, ScriptsNeedAnInterpreterAndANetworkToBuild) {
  EXPECT_THAT(error_of_setting("--trt-npps", {"x.py"}), "no error");  // the second spelling isn't a name
  EXPECT_THAT(error_of_setting("--trt-network-postprocess-script", {"x.py"}), HasSubstr("--python-interpreter"));
  tensorrt::GivenSettings given;
  given.add("--trt-config-script", {"x.py"});
  auto options = tensorrt::encode_settings(given);
  options["python"] = "python3";
  EXPECT_TRUE(parse_tensorrt_options(options, 10)->has_scripts);
  options["save_capability"] = "x.json";
  EXPECT_THAT(error(options), HasSubstr("scripts have no effect"));
  options["model_type"] = "engine";
  EXPECT_THAT(error(options), HasSubstr("--trt-config-script says how an engine is built"));
  EXPECT_FALSE(parse_tensorrt_options({{"python", "python3"}}, 10)->has_scripts);
}

TEST(Options, ATimingCacheThatDoesNotExistIsLeftOut) {
  TensorRtOptions options;
  EXPECT_THAT(warnings_about(options), IsEmpty());
  options.config.timing_cache = "/no/such/cache";
  EXPECT_EQ(with_existing_cache(options).timing_cache, "");
  EXPECT_THAT(warnings_about(options), ElementsAre(HasSubstr("/no/such/cache")));
  options.engine.save_timing_cache = "/no/such/cache";
  EXPECT_THAT(warnings_about(options), IsEmpty()) << "it will be saved";
  options.config.timing_cache = "/proc/self/exe";
  EXPECT_EQ(with_existing_cache(options).timing_cache, "/proc/self/exe");
  options.config.timing_cache.clear();
  EXPECT_EQ(with_existing_cache(options).timing_cache, "");
}

TEST(Options, AMissInATimingCacheNeedsOne) {
  EXPECT_THAT(error_of_setting("--error-on-timing-cache-miss", {}), HasSubstr("Add --load-timing-cache"));
  tensorrt::GivenSettings given;
  given.add("--error-on-timing-cache-miss", {});
  given.add("--load-timing-cache", {"cache"});
  EXPECT_TRUE(parse_tensorrt_options(tensorrt::encode_settings(given), 10));
}

TEST(Options, PrecisionsOfLayersCountIfConstraintsSaySo) {
  const auto warnings = [](const char* mode) {
    tensorrt::GivenSettings given;
    given.add("--layer-precisions", {"a:float32"});
    given.add("--precision-constraints", {mode});
    return warnings_about(parse_tensorrt_options(tensorrt::encode_settings(given), 10).value());
  };
  EXPECT_THAT(warnings("none"), ElementsAre(HasSubstr("only a hint unless --precision-constraints")));
  EXPECT_THAT(warnings("prefer"), IsEmpty());
  EXPECT_THAT(warnings("obey"), IsEmpty());
}

TEST(Options, AScriptThatMakesTheNetworkNeedsNoParser) {
  const TensorRtOptions parsed =
      parse_tensorrt_options({{"model_type", "script"}, {"python", "python3"}, {"function", "make"}}, 10).value();
  EXPECT_TRUE(parsed.has_scripts);
  EXPECT_EQ(parsed.network.begin->function, "make");
  for (const char* setting : {"--onnx-flags", "--plugin-instancenorm", "--strongly-typed"}) {
    EXPECT_THAT(
        error({{"model_type", "script"}, {"python", "python3"}, {setting, "[[]]"}}),
        HasSubstr("how a network is made of a model, and a script makes this one (in " + std::string(setting) + ")"));
  }
}

}  // namespace
}  // namespace assay::backend
