#include "tensorrt/enumerations.h"

#include <gmock/gmock.h>

#include "tensorrt/parse_values.h"
#include "tensorrt/settings.h"

namespace assay::tensorrt {
namespace {

using testing::HasSubstr;

TEST(Enumerations, NumbersAreTensorRts) {  // from its headers
  EXPECT_EQ(find_enumerator("BuilderFlag", "FP16", ""), 0);
  EXPECT_EQ(find_enumerator("BuilderFlag", "REFIT_IDENTICAL", ""), 20);
  EXPECT_EQ(find_enumerator("BuilderFlag", "WEIGHT_STREAMING", ""), 21);
  EXPECT_EQ(find_enumerator("MemoryPoolType", "TACTIC_SHARED_MEMORY", ""), 5);
  EXPECT_EQ(find_enumerator("LayerType", "PLUGIN_V3", ""), 46);
  EXPECT_EQ(data_type_number("bfloat16"), 7);
}

TEST(Enumerations, TensorRt11HasFewerAndOtherNumbers) {  // from its headers
  EXPECT_EQ(find_enumerator("BuilderFlag", "TF32", "", 11), 6);
  EXPECT_EQ(find_enumerator("BuilderFlag", "WEIGHT_STREAMING", "", 11), 20);
  EXPECT_EQ(find_enumerator("BuilderFlag", "EDITABLE_TIMING_CACHE", "", 11), 26);
  EXPECT_EQ(find_enumerator("TacticSource", "JIT_CONVOLUTIONS", "", 11), 1);
  EXPECT_EQ(find_enumerator("PreviewFeature", "ALIASED_PLUGIN_IO_10_03", "", 11), 0);
  EXPECT_EQ(find_enumerator("LayerType", "PLUGIN_V3", "", 11), 46);
  const auto error = find_enumerator("TacticSource", "CUDNN", "--tactic-sources", 11).error();
  EXPECT_EQ(error.kind, base::ErrorKind::unsupported);
  EXPECT_THAT(error.message(), HasSubstr("TensorRT 11 has removed 'CUDNN' from TacticSource"));
}

TEST(Enumerations, NumbersHaveNames) {
  EXPECT_EQ(enumerator_name("LayerType", 17), "MATRIX_MULTIPLY");
  EXPECT_EQ(enumerator_name("ActivationType", 13), "GELU_TANH");
  EXPECT_EQ(enumerator_name("UnaryOperation", 24), "ISNAN");
  EXPECT_EQ(enumerator_name("UnaryOperation", 99), "99");
}

TEST(Enumerations, ErrorsNameTheOptionAndSimilarNames) {
  const auto error = find_enumerator("TacticSource", "CUDN", "--tactic-sources").error();
  EXPECT_THAT(error.message(), HasSubstr("TensorRT's TacticSource has no 'CUDN'"));
  EXPECT_THAT(error.message(), HasSubstr("--tactic-sources"));
  EXPECT_THAT(error.message(), HasSubstr("CUDNN"));
}

TEST(Enumerations, EveryFlagAndTypeOfTheSettingsIsKnown) {
  for (const Setting& setting : config_settings()) {
    if (setting.form == Setting::Form::flag && !setting.member.empty()) {
      EXPECT_TRUE(find_enumerator("BuilderFlag", std::string(setting.member), "")) << setting.flags;
    }
    if (!setting.type.empty()) {
      EXPECT_FALSE(find_enumerator(setting.type, "?", "")) << setting.flags;
    }
  }
  for (const char* type :
       {"float32", "float16", "bfloat16", "fp8", "fp4", "int64", "int32", "int8", "int4", "bool", "uint8"}) {
    EXPECT_EQ(parse_type(type, ""), type);
    EXPECT_GE(data_type_number(type), 0);
  }
}

}  // namespace
}  // namespace assay::tensorrt
