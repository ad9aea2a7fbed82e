#include "pages/comparison_page.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "model/load.h"
#include "pages/graph.h"

namespace assay::pages {
namespace {

using report::Mark;
using report::Origin;
using tensor::ElementType;
using tensor::Tensor;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Tensor floats(const std::vector<float>& values) {
  return Tensor::of<float>(ElementType::float32, {static_cast<std::int64_t>(values.size())}, values);
}

class ComparisonPageTest : public testing::Test {
 protected:
  ComparisonPageTest() { page_.watch(table_); }

  void add(const std::string& name, const Tensor& first, const Tensor& second, std::size_t pair = 0) {
    table_.add({pair, "onnxrt-runner-N0-11/21/26-02:35:21", "openvino-runner-N1-11/21/26-02:35:21", name, first, second,
                tensor::identical(first, second)});
  }
  static const report::PageTensor& find(report::Page& page, const std::string& name) {
    const report::PageTensor* found = GraphTensors(page.graph).find(name);
    if (found == nullptr) throw std::out_of_range(name);
    return *found;
  }

  model::Model model_ = model::parse_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] c) { a = Neg(x) [second] b = Exp(a) c = Abs(b) })")
                            .value();
  compare::LayerTable table_;
  ComparisonPage page_;
};

TEST_F(ComparisonPageTest, ShowsWhereAnErrorIsBornAndPassedOn) {
  add("a", floats({1, 2}), floats({1, 2}));
  add("b", floats({1, 3}), floats({1, 2}));
  add("c", floats({1, 3}), floats({1, 2}));
  report::Page page = page_.page(&model_, table_, {.passed = false});
  EXPECT_EQ(page.mark, Mark::bad);
  EXPECT_EQ(page.verdict,
            "2 of 3 tensors differ between onnxrt N0 and openvino N1; the first is 'b', computed by Exp 'second' "
            "(node #1).");
  EXPECT_EQ(page.first_side, "onnxrt N0");
  EXPECT_EQ(page.second_side, "openvino N1");
  EXPECT_EQ(find(page, "a").origin, Origin::none);
  EXPECT_TRUE(find(page, "a").agrees);
  EXPECT_EQ(find(page, "b").origin, Origin::born);
  EXPECT_FALSE(find(page, "b").agrees);
  EXPECT_EQ(find(page, "b").absolute, 1);
  EXPECT_EQ(find(page, "b").relative, 0.5);
  EXPECT_EQ(find(page, "c").origin, Origin::passed_on);
  ASSERT_THAT(find(page, "b").statistics, SizeIs(2));
  EXPECT_EQ(find(page, "b").statistics[0].side, "onnxrt N0");
  EXPECT_EQ(find(page, "b").statistics[0].maximum, 3);
  EXPECT_EQ(find(page, "b").statistics[1].maximum, 2);
  // The same bins on both sides.
  EXPECT_EQ(find(page, "b").statistics[1].histogram->high, 3);
  ASSERT_THAT(page.tables, SizeIs(1));
  EXPECT_THAT(page.tables[0].rows, SizeIs(1));  // c only passes it on
  EXPECT_THAT(page.tables[0].rows[0], SizeIs(page.tables[0].columns.size()));
}

TEST_F(ComparisonPageTest, SaysHowLargeTheLargestErrorIsIfAllAgree) {
  table_.add({0, "onnxrt-runner-N0-11/21/26-02:35:21", "openvino-runner-N1-11/21/26-02:35:21", "c", floats({3, 5}),
              floats({3, 4}), true});
  EXPECT_EQ(page_.page(&model_, table_, {.passed = true}).verdict,
            "The only tensor of onnxrt N0 and openvino N1 agrees; the largest error is 0.2 at 'c'.");
}

TEST_F(ComparisonPageTest, ShowsNoBirthOfInfinitiesThatAreEqual) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  table_.add({0, "onnxrt-runner-N0-11/21/26-02:35:21", "openvino-runner-N1-11/21/26-02:35:21", "b", floats({kInf, 1}),
              floats({kInf, 1}), false});
  report::Page page = page_.page(&model_, table_, {.passed = false});
  EXPECT_THAT(page.verdict, testing::HasSubstr(", with infinity on both sides."));
  EXPECT_EQ(find(page, "b").origin, Origin::none);
  EXPECT_EQ(page.tables.at(0).rows.at(0).back(), "infinity on both sides");
}

TEST_F(ComparisonPageTest, SaysThatEverythingAgrees) {
  add("c", floats({1, 2}), floats({1, 2}));
  const report::Page page = page_.page(&model_, table_, {.passed = true});
  EXPECT_EQ(page.mark, Mark::good);
  EXPECT_EQ(page.verdict, "The only tensor of onnxrt N0 and openvino N1 agrees.");
  EXPECT_THAT(page.tables, IsEmpty());
}

TEST_F(ComparisonPageTest, SaysWhyARunFailedWhoseTensorsAgree) {
  add("c", floats({1, 2}), floats({1, 2}));
  EXPECT_THAT(page_.page(nullptr, table_, {.passed = false, .validated = true}).verdict,
              HasSubstr("agrees; an output holds NaN or infinity."));
  const report::Page page = page_.page(nullptr, table_, {.passed = false, .without = {"b"}});
  EXPECT_THAT(page.verdict, HasSubstr("agrees; 1 tensor has no value."));
  EXPECT_THAT(page.tables[0].rows, ElementsAre(ElementsAre("b")));
  EXPECT_EQ(ComparisonPage().page(nullptr, {}, {.passed = true}).verdict, "The model ran, and nothing was compared.");
}

TEST_F(ComparisonPageTest, HasTensorsWithoutNodesIfTheModelIsUnknown) {
  add("b", floats({1, 3}), floats({1, 2}));
  report::Page page = page_.page(nullptr, table_, {.passed = false});
  EXPECT_THAT(page.graph.nodes, IsEmpty());
  EXPECT_EQ(find(page, "b").type, "float32");
  EXPECT_EQ(find(page, "b").shape, "[2]");
  EXPECT_EQ(page.verdict, "1 of 1 tensor differs between onnxrt N0 and openvino N1; the first is 'b'.");
}

TEST_F(ComparisonPageTest, ShowsThePairThatDiffersAndListsAll) {
  add("c", floats({1, 2}), floats({1, 2}), 0);
  add("c", floats({1, 2}), floats({1, 5}), 1);
  report::Page page = page_.page(&model_, table_, {.passed = false});
  EXPECT_EQ(find(page, "c").absolute, 3);
  EXPECT_EQ(find(page, "c").statistics.at(1).maximum, 5);
  ASSERT_THAT(page.tables, SizeIs(2));
  EXPECT_THAT(page.tables[1].rows, SizeIs(2));
}

TEST(WorstTensors, KeepsOnlyTheLargestErrorsAndTheWorstIteration) {
  WorstTensors worst(2);
  const Tensor zero = floats({0});
  worst.add("small", floats({1}), zero, 1);
  worst.add("large", floats({3}), zero, 3);
  worst.add("tiny", floats({0.5F}), zero, 0.5);
  worst.add("medium", floats({2}), zero, 2);
  worst.add("large", floats({9}), zero, 9);  // another iteration
  worst.add("large", floats({4}), zero, 4);
  report::Page page{.first_side = "a", .second_side = "b"};
  GraphTensors tensors(page.graph);
  for (const char* name : {"small", "large", "tiny", "medium"}) tensors.find_or_add(name);
  worst.add_to(page);
  EXPECT_THAT(tensors.find("small")->statistics, IsEmpty());
  EXPECT_THAT(tensors.find("tiny")->statistics, IsEmpty());
  EXPECT_EQ(tensors.find("medium")->statistics.at(0).maximum, 2);
  EXPECT_EQ(tensors.find("large")->statistics.at(0).maximum, 9);
  EXPECT_EQ(tensors.find("large")->statistics.at(1).side, "b");
}

TEST(WorstTensors, CountsValuesThatAreNotFinite) {
  WorstTensors worst;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  worst.add("x", floats({nan, 1}), floats({nan, nan}), std::numeric_limits<double>::infinity());
  worst.add("text", Tensor::make_strings({1}, {"a"}).value(), Tensor::make_strings({1}, {"b"}).value(), 1);
  report::Page page;
  GraphTensors tensors(page.graph);
  tensors.find_or_add("x");
  tensors.find_or_add("text");
  worst.add_to(page);
  const auto& statistics = tensors.find("x")->statistics;
  ASSERT_THAT(statistics, SizeIs(2));
  EXPECT_EQ(statistics[0].nans, 1);
  EXPECT_EQ(statistics[0].mean, 1);
  EXPECT_TRUE(statistics[0].histogram);
  EXPECT_EQ(statistics[1].nans, 2);
  EXPECT_TRUE(std::isnan(statistics[1].mean));
  EXPECT_FALSE(statistics[1].histogram);
  EXPECT_THAT(tensors.find("text")->statistics, IsEmpty());
}

}  // namespace
}  // namespace assay::pages
