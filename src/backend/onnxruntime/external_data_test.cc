#include "backend/onnxruntime/external_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/load.h"

namespace assay::backend {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ExternalLocations, AreFoundOnce) {
  const auto model = model::parse_text(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[2] x) => (float[2] y)
      <float[2] a = ["location": "w.bin", "length": "8"], float[2] b = ["location": "sub/v.bin"],
       float[2] c = ["location": "w.bin", "offset": "8"]> { y = Sum(x, a, b, c) })");
  ASSERT_TRUE(model);
  EXPECT_THAT(external_locations(model->proto.SerializeAsString()), ElementsAre("w.bin", "sub/v.bin"));
}

TEST(ExternalLocations, OfLongNames) {
  const std::string name(300, 'x');
  const auto model = model::parse_text(
      "<ir_version: 8, opset_import: [\"\" : 17]> g (float[2] x) => (float[2] y) "
      "<float[2] a = [\"location\": \"" +
      name + "\"]> { y = Add(x, a) }");
  ASSERT_TRUE(model);
  EXPECT_THAT(external_locations(model->proto.SerializeAsString()), ElementsAre(name));
}

TEST(ExternalLocations, AreNoneIfTheModelIsTruncated) {
  EXPECT_THAT(external_locations(""), IsEmpty());
  EXPECT_THAT(external_locations("\x0a\x08location\x12"), IsEmpty());
  EXPECT_THAT(external_locations("\x0a\x08location\x12\x05"
                                 "w.b"),
              IsEmpty());
  EXPECT_THAT(external_locations("\x0a\x08location\x12\xff\xff\xff\xff\xff\xff\xff"), IsEmpty());
}

}  // namespace
}  // namespace assay::backend
