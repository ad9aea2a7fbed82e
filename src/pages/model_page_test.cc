#include "pages/model_page.h"

#include <gmock/gmock.h>

#include "model/load.h"

namespace assay::pages {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::SizeIs;

model::Model parse(const std::string& weight) {
  return model::parse_text("<ir_version: 8, opset_import: [\"\" : 17]> g (float[2] x) => (float[2] y) <float[2] w = {" +
                           weight + "}> { t = Mul(x, w) y = Mul(t, t) }")
      .value();
}

TEST(ModelPage, TellsWhatTheModelHas) {
  const auto page = model_page(parse("1, 2"));
  ASSERT_TRUE(page);
  EXPECT_EQ(page->verdict, "The model has 2 nodes and 1 weight of 8 B.");
  EXPECT_EQ(page->mark, report::Mark::note);
  EXPECT_THAT(page->graph.nodes, SizeIs(2));
  EXPECT_THAT(page->tables.at(0).rows, Contains(ElementsAre("Operator set", "17")));
  EXPECT_THAT(page->tables.at(1).rows, ElementsAre(ElementsAre("Mul", "2")));
}

}  // namespace
}  // namespace assay::pages
