#include "run/partner_outputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::run {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

TEST(PartnerOutputs, AreFoundAlongTheRow) {
  const PartnerOutputs partners({{"a", "b", "c"}, {"c", "B", "a", "x"}, {"b_out", "a", "c"}});
  EXPECT_THAT(partners.of(0, {"a", "b"}), UnorderedElementsAre("a", "b"));
  EXPECT_THAT(partners.of(1, {"a", "b"}), UnorderedElementsAre("a", "B"));
  EXPECT_THAT(partners.of(2, {"a", "b"}), UnorderedElementsAre("a", "b_out"));
  EXPECT_THAT(partners.alone(1), ElementsAre("x"));
  EXPECT_THAT(partners.alone(2), ElementsAre());
}

TEST(PartnerOutputs, AreMissingIfARunHasFewer) {
  const PartnerOutputs partners({{"a", "b"}, {"a"}});
  EXPECT_THAT(partners.of(1, {"b"}), UnorderedElementsAre());
}

}  // namespace
}  // namespace assay::run
