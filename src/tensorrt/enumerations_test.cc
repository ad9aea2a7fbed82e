#include "tensorrt/enumerations.h"

#include <gmock/gmock.h>

#include "tensorrt/parse_values.h"
#include "tensorrt/settings.h"

namespace assay::tensorrt {
namespace {

using testing::HasSubstr;

constexpr Version kLast10{10, 16, 1};
constexpr Version k11{11};

TEST(Enumerations, NumbersAreTensorRts) {  // from its headers
  EXPECT_EQ(find_enumerator("BuilderFlag", "FP16", "", kLast10), 0);
  EXPECT_EQ(find_enumerator("BuilderFlag", "REFIT_IDENTICAL", "", kLast10), 20);
  EXPECT_EQ(find_enumerator("BuilderFlag", "WEIGHT_STREAMING", "", kLast10), 21);
  EXPECT_EQ(find_enumerator("MemoryPoolType", "TACTIC_SHARED_MEMORY", "", kLast10), 5);
  EXPECT_EQ(find_enumerator("LayerType", "PLUGIN_V3", "", kLast10), 46);
  EXPECT_EQ(find_enumerator("DataType", "bfloat16", "", kLast10), 7);
}

TEST(Enumerations, TensorRt11HasFewerAndOtherNumbers) {  // from its headers
  EXPECT_EQ(find_enumerator("BuilderFlag", "TF32", "", k11), 6);
  EXPECT_EQ(find_enumerator("BuilderFlag", "WEIGHT_STREAMING", "", k11), 20);
  EXPECT_EQ(find_enumerator("BuilderFlag", "EDITABLE_TIMING_CACHE", "", k11), 26);
  EXPECT_EQ(find_enumerator("TacticSource", "JIT_CONVOLUTIONS", "", k11), 1);
  EXPECT_EQ(find_enumerator("PreviewFeature", "ALIASED_PLUGIN_IO_10_03", "", k11), 0);
  EXPECT_EQ(find_enumerator("LayerType", "PLUGIN_V3", "", k11), 46);
  const auto error = find_enumerator("TacticSource", "CUDNN", "--tactic-sources", k11).error();
  EXPECT_EQ(error.kind, base::ErrorKind::unsupported);
  EXPECT_THAT(error.message(), HasSubstr("TensorRT 11 has removed 'CUDNN' from TacticSource"));
}

TEST(Enumerations, OlderVersionsHaveFewer) {  // from the headers of these versions
  EXPECT_EQ(enumerators_in("PreviewFeature", {10, 0, 1}), std::vector{0});
  EXPECT_EQ(enumerators_in("PreviewFeature", {10, 9}), (std::vector{0, 1}));
  EXPECT_EQ(enumerators_in("PreviewFeature", {10, 10}), (std::vector{0, 1, 2}));
  EXPECT_EQ(enumerators_in("PreviewFeature", k11), (std::vector{0, 1}));
  EXPECT_TRUE(enumerators_in("TilingOptimizationLevel", {10, 7}).empty());
  EXPECT_EQ(find_enumerator("HardwareCompatibilityLevel", "SAME_COMPUTE_CAPABILITY", "", {10, 9}), 2);
  const auto error =
      find_enumerator("HardwareCompatibilityLevel", "SAME_COMPUTE_CAPABILITY", "--option", {10, 8, 0}).error();
  EXPECT_EQ(error.kind, base::ErrorKind::unsupported);
  EXPECT_EQ(error.message(),
            "'SAME_COMPUTE_CAPABILITY' of HardwareCompatibilityLevel needs TensorRT 10.9 or later, and this is 10.8.0 "
            "(in --option). Leave it out, or use a later version of TensorRT");
}

TEST(Enumerations, NumbersHaveNames) {
  EXPECT_EQ(enumerator_name("LayerType", 17), "MATRIX_MULTIPLY");
  EXPECT_EQ(enumerator_name("ActivationType", 13), "GELU_TANH");
  EXPECT_EQ(enumerator_name("UnaryOperation", 24), "ISNAN");
  EXPECT_EQ(enumerator_name("UnaryOperation", 99), "99");
}

TEST(Enumerations, ErrorsNameTheOptionAndSimilarNames) {
  const auto error = find_enumerator("TacticSource", "CUDN", "--tactic-sources", kLast10).error();
  EXPECT_THAT(error.message(), HasSubstr("TensorRT's TacticSource has no 'CUDN'"));
  EXPECT_THAT(error.message(), HasSubstr("--tactic-sources"));
  EXPECT_THAT(error.message(), HasSubstr("CUDNN"));
}

TEST(Enumerations, EveryFlagAndTypeOfTheSettingsIsKnown) {
  for (const Setting& setting : config_settings()) {
    if (setting.form == Setting::Form::flag && !setting.member.empty()) {
      EXPECT_TRUE(find_enumerator("BuilderFlag", std::string(setting.member), "", kLast10)) << setting.flags;
    }
    if (!setting.type.empty()) {
      EXPECT_FALSE(find_enumerator(setting.type, "?", "", kLast10)) << setting.flags;
    }
  }
  for (const char* type :
       {"float32", "float16", "bfloat16", "fp8", "fp4", "int64", "int32", "int8", "int4", "bool", "uint8"}) {
    EXPECT_EQ(parse_type(type, ""), type);
    EXPECT_TRUE(find_enumerator("DataType", type, "", kLast10));
  }
}

}  // namespace
}  // namespace assay::tensorrt
