#include "tensorrt/capability.h"

#include <gmock/gmock.h>

namespace assay::tensorrt {
namespace {

using testing::ElementsAre;

TEST(Capability, ComesBackFromJson) {
  const Capability capability{.supported = false,
                              .groups = {{{0, 1}, true}, {{2}, false}},
                              .errors = {{"n2", "Sigmoid", "no \"importer\"", "f -> g"}}};
  const Capability back = parse_capability(capability_json(capability)).value();
  EXPECT_FALSE(back.supported);
  ASSERT_EQ(back.groups.size(), 2);
  EXPECT_THAT(back.groups[0].nodes, ElementsAre(0, 1));
  EXPECT_TRUE(back.groups[0].supported);
  ASSERT_EQ(back.errors.size(), 1);
  EXPECT_EQ(back.errors[0].reason, "no \"importer\"");
  EXPECT_EQ(back.errors[0].stack_trace, "f -> g");
}

TEST(Capability, OtherTextIsAnError) {
  for (const char* text : {"", "[]", "{}", R"({"supported":1,"groups":[],"errors":[]})",
                           R"({"supported":true,"groups":[{"nodes":[-1],"supported":"no"}],"errors":[]})"}) {
    EXPECT_FALSE(parse_capability(text)) << text;
  }
}

}  // namespace
}  // namespace assay::tensorrt
