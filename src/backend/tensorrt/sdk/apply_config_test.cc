// The worker has the headers of a later version than the library. TensorRT needn't notice a number that it doesn't
// know; the stand-in for the oldest version ends the process.
#include "backend/tensorrt/sdk/apply_config.h"

#include <gmock/gmock.h>

#include "backend/tensorrt/sdk/headers.h"
#include "backend/tensorrt/sdk/worker_test_support.h"

namespace assay::backend {
namespace {

using test::from_text;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using worker::Phase;

class ApplyConfig : public TensorRt {};

TEST_F(ApplyConfig, OlderLibrariesRefuseWhatTheyDontHave) {
  if (!ASSAY_TENSORRT_UNTIL_10) GTEST_SKIP() << "TensorRT 11 has added no settings since 11.0";
  use_oldest_library();
  const auto error_of = [&](const char* setting, const char* value, Phase phase) {
    given_ = {};
    with(setting, {value});
    return load_error(from_text(kModel), phase);
  };
  EXPECT_THAT(error_of("--preview-features", "runtime_activation_resize_10_10", Phase::build),
              AllOf(HasSubstr("needs TensorRT 10.10 or later, and this is 10.0.0"), HasSubstr("--preview-features")));
  EXPECT_THAT(error_of("--hardware-compatibility-level", "same_compute_capability", Phase::build),
              HasSubstr("10.9 or later"));
  EXPECT_THAT(error_of("--runtime-platform", "windows_amd64", Phase::build), HasSubstr("10.2 or later"));
  EXPECT_THAT(error_of("--tiling-optimization-level", "full", Phase::build), HasSubstr("10.8 or later"));
  EXPECT_THAT(error_of("--tensor-dtypes", "x:fp4", Phase::build), HasSubstr("10.8 or later"));
  EXPECT_THAT(error_of("--layer-precisions", "*:fp4", Phase::build), HasSubstr("10.8 or later"));
  EXPECT_THAT(error_of("--trt-outputs-by-type", "moe", Phase::build), HasSubstr("10.16 or later"));
  EXPECT_THAT(error_of("--onnx-flags", "enable_plugin_override", Phase::load), HasSubstr("10.15 or later"));
  given_ = {};
  with("--editable-timing-cache");
  EXPECT_THAT(load_error(from_text(kModel), Phase::build),
              AllOf(HasSubstr("10.8 or later"), HasSubstr("--editable-timing-cache")));
  given_ = {};
  with("--mark-unfused-tensors-as-debug-tensors");
  EXPECT_THAT(load_error(from_text(kModel), Phase::build), HasSubstr("10.12 or later"));
}

// Without the feature of the option, all others that the library has are switched off, and no later ones.
TEST_F(ApplyConfig, OlderLibrariesAreOnlyAskedForWhatTheyHave) {
  use_oldest_library();
  const char* feature = ASSAY_TENSORRT_UNTIL_10 ? "profile_sharing_0806" : "aliased_plugin_io_10_03";
  with("--preview-features", {feature}).with("--tensor-formats", {"x:[linear,dhwc]"});
  with("--hardware-compatibility-level", {"ampere_plus"})
      .with("--strip-plan")
      .with("--engine-capability", {"standard"});
  with("--pool-limit", {"tactic_shared_memory:1K"}).with("--tactic-sources", {"jit_convolutions"});
  const auto session = load(from_text(kModel));
  EXPECT_TRUE(session) << worker::describe(session.error());
}

TEST_F(ApplyConfig, BestAllowsWhatTheGpuHas) {
  ASSAY_NEEDS_TENSORRT_10();
  with("--best");
  const auto load_on = [&](const char* gpu) {
    ::setenv("ASSAY_FAKE_CUDA", gpu, 1);
    with_option("save_built", path(gpu));  // other options than those of the worker before, which knows another GPU
    const auto session = load(from_text(kModel));
    EXPECT_TRUE(session) << worker::describe(session.error());
    return session ? texts((*session)->info().messages, base::Level::info) : std::vector<std::string>();
  };
  EXPECT_THAT(load_on("hopper"), testing::IsEmpty());
  EXPECT_THAT(plan("hopper"), AllOf(HasSubstr("kFP16"), HasSubstr("kBF16"), HasSubstr("kINT8")));
  EXPECT_THAT(load_on("turing"), testing::ElementsAre("--best: the Fake GPU doesn't compute in bfloat16"));
  EXPECT_THAT(plan("turing"), AllOf(HasSubstr("kFP16"), Not(HasSubstr("kBF16")), HasSubstr("kINT8")));
  EXPECT_THAT(load_on("blackwell_ultra"), testing::ElementsAre("--best: the Fake GPU doesn't compute in int8"));
  EXPECT_THAT(plan("blackwell_ultra"), AllOf(HasSubstr("kBF16"), Not(HasSubstr("kINT8"))));
}

TEST_F(ApplyConfig, TensorRtSaysWhyItRefusesASetting) {
  misbehave("refuse_settings");
  const auto error_of = [&](const char* setting, tensorrt::Words words) {
    given_ = {};
    with(setting, std::move(words));
    return load_error(from_text(kModel), Phase::build);
  };
  const auto reason = HasSubstr("API Usage Error (this machine can't)");
  EXPECT_THAT(error_of("--tactic-sources", {"jit_convolutions"}), AllOf(HasSubstr("these tactic sources"), reason));
#if ASSAY_TENSORRT_SINCE_10(8)
  EXPECT_THAT(error_of("--tiling-optimization-level", {"full"}),
              AllOf(HasSubstr("this level of --tiling-optimization-level"), reason));
#endif
#if ASSAY_TENSORRT_SINCE_10(12)
  EXPECT_THAT(error_of("--mark-unfused-tensors-as-debug-tensors", {}),
              AllOf(HasSubstr("doesn't accept --mark-unfused-tensors-as-debug-tensors"), reason));
#endif
  if (!ASSAY_TENSORRT_UNTIL_10) {
    EXPECT_THAT(error_of("--max-aux-streams", {"3"}), AllOf(HasSubstr("doesn't accept --max-aux-streams 3"), reason));
  }
}

}  // namespace
}  // namespace assay::backend
