#include "tensorrt/engine_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::tensorrt {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(EngineNames, AProfileIsANumberInBrackets) {
  const auto split = [](std::string_view name) {
    const ProfileName result = split_profile(name);
    return std::to_string(result.profile) + ":" + std::string(result.base);
  };
  EXPECT_EQ(split("conv"), "0:conv");
  EXPECT_EQ(split("conv [profile 12]"), "12:conv");
  EXPECT_EQ(split("conv [profile 1]_output"), "1:conv [profile 1]_output");
  for (const char* name : {"", "[profile ", "x [profile ]", "x [profile -1]", "x [profile 1", "x [profile 1x]",
                           "x [profile 99999999999999999999]", "x[profile1]"}) {
    EXPECT_EQ(split(name), std::string("0:") + name);
  }
}

TEST(EngineNames, PartsOfMetadataAreSeparatedInSeveralWays) {
  const auto two = ElementsAre("/a/Conv", "/b/Relu");
  EXPECT_THAT(onnx_nodes_of("[ONNX Layer: /a/Conv]\x1e[ONNX Layer: /b/Relu]"), two);
  EXPECT_THAT(onnx_nodes_of("[ONNX Layer: /a/Conv]\x1f[ONNX Layer: /b/Relu]"), two);
  EXPECT_THAT(onnx_nodes_of("[ONNX Layer: /a/Conv] [ONNX Layer: /b/Relu]"), two);
  EXPECT_THAT(onnx_nodes_of("[ONNX Layer: /a/Conv][ONNX Layer: /b/Relu]"), two);
  EXPECT_THAT(onnx_nodes_of("[ONNX Layer: /a/Conv]\x1e[Other: c]\x1e[ONNX Layer: /b/Relu]\x1e[ONNX Layer: /a/Conv]"),
              two);
}

TEST(EngineNames, NamesOfOnnxNodesMayHaveBracketsAndSpaces) {
  EXPECT_THAT(onnx_nodes_of("[ONNX Layer: a[0] b]\x1e[ONNX Layer: c]"), ElementsAre("a[0] b", "c"));
  EXPECT_THAT(onnx_nodes_of("[ONNX Layer: cut off"), ElementsAre("cut off"));
  EXPECT_THAT(onnx_nodes_of("[ONNX Layer: ]"), IsEmpty());
  EXPECT_THAT(onnx_nodes_of("something else"), IsEmpty());
}

TEST(EngineNames, AFormatIsSearchedForWholeWords) {
  EXPECT_EQ(element_type_of("Channel major FP16 format where channel % 8 == 0"), "float16");
  EXPECT_EQ(element_type_of("Thirty-two wide channel vectorized row major Int8 format."), "int8");
  EXPECT_EQ(element_type_of("UInt8"), "uint8");
  EXPECT_EQ(element_type_of("BFloat16 Row major linear"), "bfloat16");
  EXPECT_EQ(element_type_of("FP8"), "float8_e4m3fn");
  EXPECT_EQ(element_type_of("N/A due to dynamic shapes"), "");
  EXPECT_EQ(element_type_of(""), "");
  EXPECT_EQ(element_type_of("-- floats --"), "");
}

}  // namespace
}  // namespace assay::tensorrt
