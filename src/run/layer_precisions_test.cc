#include "run/layer_precisions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tensorrt/encode_settings.h"

namespace assay::run {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

EngineSetup engine(const std::vector<std::pair<std::string, tensorrt::Words>>& settings) {
  tensorrt::GivenSettings given;
  for (const auto& [name, words] : settings) given.add(name, words);
  EngineSetup setup;
  setup.spec.options = tensorrt::encode_settings(given);
  return setup;
}

TEST(LayerPrecisions, WordsAreAddedToThoseOfTheUser) {
  const auto kept = with_layer_precisions(engine({{"--fp16", {}}, {"--layer-precisions", {"a:float16", "b:float16"}}}),
                                          layer_precision_words({"c", "b"}, "float32"));
  ASSERT_TRUE(kept) << kept.error().message();
  const auto given = tensorrt::decode_settings(kept->spec.options);
  ASSERT_TRUE(given);
  EXPECT_THAT(given->words("--layer-precisions"), ElementsAre("a:float16", "b:float16", "c:float32", "b:float32"));
  EXPECT_EQ(given->word("--precision-constraints"), "obey");
}

TEST(LayerPrecisions, TheUsersConstraintsStay) {
  const auto kept = with_layer_precisions(engine({{"--precision-constraints", {"prefer"}}}), {});
  ASSERT_TRUE(kept);
  const auto given = tensorrt::decode_settings(kept->spec.options);
  EXPECT_THAT(given->words("--precision-constraints"), ElementsAre("prefer"));
  EXPECT_FALSE(given->has("--layer-precisions"));
}

TEST(LayerPrecisions, TheReferenceHasNothingBelowFloat32) {
  const auto plain = in_float32(engine({{"--fp16", {}},
                                        {"--bf16", {}},
                                        {"--int8", {}},
                                        {"--fp8", {}},
                                        {"--tf32", {}},
                                        {"--layer-precisions", {"a:float16"}},
                                        {"--precision-constraints", {"obey"}},
                                        {"--use-dla", {}},
                                        {"--dla-core", {"1"}},
                                        {"--allow-gpu-fallback", {}},
                                        {"--refittable", {}}}));
  EXPECT_THAT(plain.spec.options, ElementsAre(testing::Key("--refittable")));
}

TEST(LayerPrecisions, ALowerPrecisionHasToBeAllowed) {
  EXPECT_TRUE(check_lower_precision(engine({{"--bf16", {}}}), "float32"));
  EXPECT_TRUE(check_lower_precision(engine({{"--fp16", {}}, {"--int8", {}}}), "float16"));
  const auto none = check_lower_precision(engine({{"--tf32", {}}}), "float32");
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message(), HasSubstr("--fp16, --bf16"));
  EXPECT_TRUE(check_lower_precision(engine({{"--best", {}}}), "float16"));
  EXPECT_FALSE(check_lower_precision(engine({{"--fp16", {}}}), "float16"));
  EXPECT_FALSE(check_lower_precision(engine({{"--int8", {}}}), "float16"));
  EXPECT_FALSE(check_lower_precision(engine({{"--fp16", {}}, {"--strongly-typed", {}}}), "float32"));
}

TEST(LayerPrecisions, TheDlaComputesInFloat16UnlessItMayUseInt8) {
  EXPECT_TRUE(check_lower_precision(engine({{"--use-dla", {}}}), "float32"));
  EXPECT_TRUE(allows_float16(engine({{"--use-dla", {}}})));
  EXPECT_FALSE(allows_float16(engine({{"--use-dla", {}}, {"--int8", {}}})));
  EXPECT_FALSE(check_lower_precision(engine({{"--use-dla", {}}, {"--int8", {}}}), "float16"));
}

}  // namespace
}  // namespace assay::run
