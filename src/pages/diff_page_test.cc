#include "pages/diff_page.h"

#include <gmock/gmock.h>

#include "diff/diff_models.h"
#include "model/load.h"
#include "pages/graph.h"

namespace assay::pages {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

model::Model parse(const std::string& weight) {
  return model::parse_text("<ir_version: 8, opset_import: [\"\" : 17]> g (float[2] x) => (float[2] y) <float[2] w = {" +
                           weight + "}> { t = Mul(x, w) y = Mul(t, t) }")
      .value();
}

TEST(DiffPage, ShowsTheChangesAndMarksTheWeights) {
  const model::Model first = parse("1, 2");
  const auto found = diff::diff_models(first, parse("1, 5"), {});
  ASSERT_TRUE(found);
  report::Page page = diff_page(*found, first);
  EXPECT_EQ(page.mark, report::Mark::bad);
  EXPECT_EQ(page.verdict, "The models differ: 1 weight changed.");
  EXPECT_EQ(page.first_side, "");  // no plot: changed weights aren't errors of layers
  ASSERT_THAT(page.tables, SizeIs(1));
  EXPECT_THAT(page.tables[0].rows, SizeIs(1));
  EXPECT_THAT(page.tables[0].rows[0], SizeIs(page.tables[0].columns.size()));
  EXPECT_THAT(page.tables[0].columns, ElementsAre("Subject", "Before", "After"));  // the others are empty
  const report::PageTensor* weight = GraphTensors(page.graph).find("w");
  ASSERT_NE(weight, nullptr);
  EXPECT_FALSE(weight->agrees);
  EXPECT_EQ(weight->absolute, 3);
}

TEST(DiffPage, SaysThatTheModelsAreEqual) {
  const model::Model model = parse("1, 2");
  const report::Page page = diff_page(diff::diff_models(model, model, {}).value(), model);
  EXPECT_EQ(page.mark, report::Mark::good);
  EXPECT_THAT(page.verdict, testing::StartsWith("The models are equal"));
}

// Such a change names the node, and the graph shows tensors.
TEST(DiffPage, MarksTheTensorOfAConstantNode) {
  const auto constant = [](const std::string& values) {
    return model::parse_text(
               "<ir_version: 8, opset_import: [\"\" : 17]> g (float[2] x) => (float[2] y) { "
               "[bias] c = Constant <value = float[2] {" +
               values + "}> () [sum] y = Add(x, c) }")
        .value();
  };
  const model::Model first = constant("1, 2");
  report::Page page = diff_page(diff::diff_models(first, constant("1, 5"), {}).value(), first);
  const report::PageTensor* changed = GraphTensors(page.graph).find("c");
  ASSERT_NE(changed, nullptr);
  EXPECT_FALSE(changed->agrees);
  EXPECT_EQ(changed->absolute, 3);
}

}  // namespace
}  // namespace assay::pages
