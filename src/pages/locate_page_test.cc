#include "pages/locate_page.h"

#include <gmock/gmock.h>

#include <cmath>

#include "model/load.h"
#include "pages/graph.h"

namespace assay::pages {
namespace {

using locate::Divergence;
using locate::Layer;
using locate::Location;
using report::Mark;
using report::Origin;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using Outcome = Location::Outcome;

Divergence divergence(double largest) {
  Divergence found;
  found.differs = largest > 0;
  found.size = largest / 10;
  found.measured = true;
  found.error.elements = 2;
  found.error.absolute.max = largest;
  return found;
}

Layer layer(const std::string& tensor, const std::string& node, double in_model, std::optional<double> alone = {}) {
  Layer found;
  found.tensor = tensor;
  found.node = node;
  found.in_model = divergence(in_model);
  if (alone) found.alone = divergence(*alone);
  return found;
}

// The difference is born at the node of b and passed on by that of c.
class LocatePageTest : public testing::Test {
 protected:
  LocatePageTest() {
    location_.outcome = Outcome::differ;
    location_.first = "onnxrt N0";
    location_.second = "openvino N1";
    location_.nodes = 3;
    location_.outputs = {layer("c", "Abs 'third' (node #2)", 1)};
    location_.finding.first = 1;
    location_.finding.confirmed = true;
    location_.layers = {layer("a", "Neg 'first' (node #0)", 0), layer("b", "Exp 'second' (node #1)", 0.5, 0.5),
                        layer("c", "Abs 'third' (node #2)", 1, 0)};
    location_.first_tensor = location_.worst_tensor = location_.layers[1];
    location_.piece = {"Exp 'second' (node #1)"};
  }

  static const report::PageTensor& find(report::Page& page, const std::string& name) {
    const report::PageTensor* found = GraphTensors(page.graph).find(name);
    if (found == nullptr) throw std::out_of_range(name);
    return *found;
  }

  model::Model model_ = model::parse_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] c) { [first] a = Neg(x) [second] b = Exp(a) [third] c = Abs(b) })")
                            .value();
  Location location_;
  WorstTensors worst_;
};

TEST_F(LocatePageTest, ShowsWhereTheDifferenceIsBorn) {
  report::Page page =
      locate_page(location_, locate::NextCommand{.command = "assay debug reduce x", .cost = {}}, model_, worst_);
  EXPECT_EQ(page.mark, Mark::bad);
  EXPECT_EQ(page.verdict,
            "The difference between onnxrt N0 and openvino N1 is born at tensor 'b', computed by Exp 'second' (node "
            "#1).");
  EXPECT_EQ(find(page, "a").origin, Origin::none);
  EXPECT_EQ(find(page, "b").origin, Origin::born);
  EXPECT_EQ(find(page, "b").absolute, 0.5);
  EXPECT_EQ(find(page, "c").origin, Origin::passed_on);
  EXPECT_FALSE(find(page, "c").agrees);
  ASSERT_GE(page.graph.opens_at, 0);
  EXPECT_EQ(page.graph.tensors[page.graph.opens_at].name, "b");
  EXPECT_THAT(page.steps, SizeIs(4));
  EXPECT_EQ(page.steps[1].mark, Mark::bad);
  ASSERT_TRUE(page.minimal_case);
  EXPECT_THAT(page.minimal_case->commands, ElementsAre("assay debug reduce x"));
}

TEST_F(LocatePageTest, SaysThatTheSidesAgree) {
  location_ = {};
  location_.first = "a";
  location_.second = "b";
  location_.outputs = {layer("c", "Abs 'third' (node #2)", 0)};
  const report::Page page = locate_page(location_, std::nullopt, model_, worst_);
  EXPECT_EQ(page.mark, Mark::good);
  EXPECT_EQ(page.verdict, "The only output of a and b agrees within the tolerances.");
  EXPECT_THAT(page.steps, SizeIs(2));
  EXPECT_FALSE(page.minimal_case);
}

TEST_F(LocatePageTest, DoesNotClaimWhatIsNotPinnedDown) {
  location_.finding.confirmed = false;
  EXPECT_THAT(verdict_on(location_), HasSubstr("not pinned down"));
  location_.outcome = Outcome::random;
  EXPECT_THAT(verdict_on(location_), HasSubstr("onnxrt N0 is not deterministic"));
}

TEST_F(LocatePageTest, TakesStatisticsOfTheValuesThatTheSearchSees) {
  locate::LocateOptions options;
  watch(options, worst_);
  const auto values = [](float value) { return tensor::Tensor::of<float>(tensor::ElementType::float32, {1}, {value}); };
  options.watch({.name = "b", .first = values(2), .second = values(1), .size = 1});
  report::Page page = locate_page(location_, std::nullopt, model_, worst_);
  ASSERT_THAT(find(page, "b").statistics, SizeIs(2));
  EXPECT_EQ(find(page, "b").statistics[0].side, "onnxrt N0");
  EXPECT_EQ(find(page, "b").statistics[0].maximum, 2);
  EXPECT_THAT(find(page, "a").statistics, IsEmpty());
}

}  // namespace
}  // namespace assay::pages
