#include "diff/compare_weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diff/diff_test_support.h"

namespace assay::diff {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kWeight = "g (float[2] x) => (float[2] y) <float[2] w = {1, 2}> { t = Neg(x)  y = Add(t, w) }";
constexpr const char* kInputWithDefault =
    "g (float[2] x, float[2] w = {1, 2}) => (float[2] y) { t = Neg(x)  y = Add(t, w) }";

TEST(CompareWeights, AWeightThatCallersCanSetIsAnInput) {
  const model::Model weight = parse(kWeight), settable = parse(kInputWithDefault);
  EXPECT_THAT(lines(compare(settable, settable)), IsEmpty());
  EXPECT_THAT(lines(compare(weight, settable)),
              ElementsAre("input added: input w:  -> float32 (2), with a default value"));
  EXPECT_THAT(lines(compare(settable, weight)),
              ElementsAre("input removed: input w: float32 (2), with a default value -> "));
}

// Up to IR version 3, all weights are inputs, but none can be set.
TEST(CompareWeights, AnInputOfAnOldModelIsAWeight) {
  const model::Model weight = parse(kWeight);
  model::Model old = parse(kInputWithDefault);
  old.proto.set_ir_version(3);
  EXPECT_THAT(lines(compare(old, weight)), ElementsAre("model changed: model, IR version: 3 -> 8"));
}

}  // namespace
}  // namespace assay::diff
