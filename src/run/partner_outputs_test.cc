#include "run/partner_outputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::run {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

TEST(PartnerOutputs, AreFoundAlongTheRow) {
  const PartnerOutputs partners({{"a", "b", "c"}, {"c", "B", "a", "x"}, {"b_out", "a", "c"}});
  EXPECT_THAT(partners.groups(), ElementsAre("a", "x", "b", "c"));
  EXPECT_THAT(partners.of(0, {"a", "b"}), UnorderedElementsAre("a", "b"));
  EXPECT_THAT(partners.of(1, {"a", "b"}), UnorderedElementsAre("a", "B"));
  EXPECT_THAT(partners.of(2, {"a", "b"}), UnorderedElementsAre("a", "b_out"));
  EXPECT_THAT(partners.of(1, {"x"}), UnorderedElementsAre("x"));
  EXPECT_THAT(partners.alone(0), IsEmpty());
  EXPECT_THAT(partners.alone(1), ElementsAre("x"));
  EXPECT_THAT(partners.alone(2), IsEmpty());
  EXPECT_EQ(partners.matches(0).size(), 3U);
  EXPECT_EQ(partners.matches(1).at(0).second, "c");
}

TEST(PartnerOutputs, AreMissingIfARunHasFewer) {
  const PartnerOutputs partners({{"a", "b"}, {"a"}});
  EXPECT_THAT(partners.of(1, {"b"}), IsEmpty());
  EXPECT_THAT(partners.alone(0), ElementsAre("b"));
}

TEST(PartnerOutputs, OfLaterRunsAreComparedAlthoughTheFirstHasNone) {
  const PartnerOutputs partners({{"a"}, {"a", "t"}, {"t", "a"}});
  EXPECT_THAT(partners.groups(), ElementsAre("a", "t"));
  EXPECT_THAT(partners.of(0, {"t"}), IsEmpty());
  EXPECT_THAT(partners.of(1, {"t"}), ElementsAre("t"));
  EXPECT_THAT(partners.of(2, {"t"}), ElementsAre("t"));
}

TEST(PartnerOutputs, MayNeedTheSameName) {
  const PartnerOutputs partners({{"a", "b"}, {"a", "x"}, {"a", "y"}}, 2);
  EXPECT_THAT(partners.groups(), ElementsAre("a", "x", "b"));
  EXPECT_THAT(partners.alone(0), ElementsAre("b"));
  EXPECT_THAT(partners.of(2, {"x"}), ElementsAre("y"));
}

TEST(PartnerOutputs, ThatAreNotNeighboursMayHaveTheSameName) {
  const PartnerOutputs partners({{"a", "t"}, {"a"}, {"a", "t"}});
  EXPECT_THAT(partners.groups(), ElementsAre("a", "t"));
  EXPECT_THAT(partners.of(2, {"t"}), ElementsAre("t"));
  EXPECT_THAT(partners.alone(0), ElementsAre("t"));
  EXPECT_THAT(partners.alone(2), ElementsAre("t"));
  EXPECT_EQ(partners.matches(0).size(), 1U);
}

}  // namespace
}  // namespace assay::run
