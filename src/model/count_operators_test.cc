#include "model/count_operators.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/load.h"

namespace assay::model {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

TEST(CountOperators, NodesOfBodiesAreApart) {
  const Model model = parse_text(R"(<ir_version: 8, opset_import: ["" : 17, "my" : 1]>
    g (float[2] x, bool c) => (float[2] y) {
      a = Relu(x)  b = ai.onnx.Relu(a)  d = my.Relu(b)
      y = If (c) <then_branch = then () => (float[2] t) {
                    t = If (c) <then_branch = one () => (float[2] p) { p = Neg(d) },
                                else_branch = two () => (float[2] q) { q = Relu(d) }> },
                  else_branch = other () => (float[2] e) { e = Neg(d) }>
    })")
                          .value();
  const CountedNodes counts = count_operators(model.graph().node());
  EXPECT_THAT(counts.direct, ElementsAre(Pair("If", 1U), Pair("Relu", 2U), Pair("my.Relu", 1U)));
  EXPECT_THAT(counts.inside, ElementsAre(Pair("If", 1U), Pair("Neg", 2U), Pair("Relu", 1U)));
  EXPECT_EQ(total(counts.direct), 4U);
  EXPECT_THAT(count_all_operators(model.graph()),
              ElementsAre(Pair("If", 2U), Pair("Neg", 2U), Pair("Relu", 3U), Pair("my.Relu", 1U)));
  EXPECT_THAT(most_frequent_first(counts.direct), ElementsAre(Pair("Relu", 2U), Pair("If", 1U), Pair("my.Relu", 1U)));
  EXPECT_THAT(count_operators({}).direct, IsEmpty());
}

TEST(CountOperators, TheLargestChangeComesFirst) {
  const auto changed = changed_operators({{"Abs", 1}, {"Conv", 9}, {"Exp", 2}}, {{"Conv", 4}, {"Exp", 2}, {"Neg", 7}});
  ASSERT_EQ(changed.size(), 3U);
  EXPECT_EQ(changed[0].name, "Neg");
  EXPECT_EQ(changed[0].before, 0U);
  EXPECT_EQ(changed[0].after, 7U);
  EXPECT_EQ(changed[1].name, "Conv");
  EXPECT_EQ(changed[2].name, "Abs");
  EXPECT_EQ(changed[2].after, 0U);
}

}  // namespace
}  // namespace assay::model
