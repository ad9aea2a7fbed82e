#include "tensorrt/encode_settings.h"

#include <gmock/gmock.h>

namespace assay::tensorrt {
namespace {

using testing::ElementsAre;

TEST(EncodeSettings, OccurrencesAndWordsComeBack) {
  GivenSettings given;
  given.add("--fp16", {});
  given.add("--trt-min-shapes", {"x:[1,2]", "a \"b\"\nc:[3]"});
  given.add("--trt-min-shapes", {"x:[4,2]"});
  given.add("--tactic-sources", {});
  const GivenSettings back = decode_settings(encode_settings(given)).value();
  EXPECT_TRUE(back.has("--fp16"));
  EXPECT_TRUE(back.words("--fp16").empty());
  EXPECT_THAT(back.occurrences("--trt-min-shapes"),
              ElementsAre(ElementsAre("x:[1,2]", "a \"b\"\nc:[3]"), ElementsAre("x:[4,2]")));
  EXPECT_EQ(back.occurrences("--tactic-sources").size(), 1);
  EXPECT_FALSE(back.has("--bf16"));
}

TEST(EncodeSettings, OtherTextIsAnError) {
  for (const char* text : {"", "1", "{}", "[1]", "[[1]]", "[[\"a\"]", "[\"a\"]"}) {
    EXPECT_FALSE(decode_settings({{"--fp16", text}})) << text;
  }
}

}  // namespace
}  // namespace assay::tensorrt
