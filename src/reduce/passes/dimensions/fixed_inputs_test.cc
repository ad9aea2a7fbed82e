#include "reduce/passes/dimensions/fixed_inputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reduce/passes/dimensions/dimension_passes.h"
#include "reduce/passes/pass_test_support.h"

namespace assay::reduce {
namespace {

using testing::ElementsAre;

std::vector<std::string> kept(const std::string& text, const std::map<std::string, tensor::Shape>& fixed) {
  const model::Model model = test::parse(text);
  std::vector<edit::ModelChange> changes = test::propose(shrink_dimensions, model);
  keep_fixed_inputs(model, fixed, changes);
  std::vector<std::string> whats;
  for (const edit::ModelChange& change : changes) whats.push_back(change.what);
  return whats;
}

TEST(KeepFixedInputs, SizesOfOthersMayChange) {
  const std::string model = R"(g (float[4,6] x, float[5] z) => (float[4,6] y, float[5] w) { y = Relu(x)  w = Abs(z) })";
  EXPECT_THAT(kept(model, {{"x", {4, 6}}}),
              ElementsAre("size 0 of 'w' reduced from 5 to 1", "size 0 of 'w' reduced from 5 to 2"));
  EXPECT_EQ(kept(model, {}).size(), 6U);
}

TEST(KeepFixedInputs, AnOpenSizeGetsTheGivenOneForAllThatShareIt) {
  const model::Model model = test::parse("g (float[N,6] x, float[N] v) => (float[N,6] y) { y = Relu(x)  w = Abs(v) }");
  std::vector<edit::ModelChange> changes = test::propose(shrink_dimensions, model);
  keep_fixed_inputs(model, {{"x", {7, 6}}}, changes);
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].what, "dynamic dimension 'N' set to 7");
  EXPECT_EQ(test::text(test::apply_all(model, changes)),
            test::text(test::parse("g (float[7,6] x, float[7] v) => (float[N,6] y) { y = Relu(x)  w = Abs(v) }")));
}

TEST(KeepFixedInputs, ASizeThatTheUserLeftOpenTooIsFree) {
  EXPECT_THAT(kept("g (float[N,6] x) => (float[N,6] y) { y = Relu(x) }", {{"x", {-1, 6}}}),
              ElementsAre("dynamic dimension 'N' set to 1", "dynamic dimension 'N' set to 2"));
}

}  // namespace
}  // namespace assay::reduce
