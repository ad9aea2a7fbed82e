#include "locate/sides/explain_outputs.h"

#include <gtest/gtest.h>

#include "compare/compare_function.h"

namespace assay::locate {
namespace {

using tensor::NamedTensors;
using tensor::Tensor;
using Lines = std::vector<std::string>;

Tensor floats(const tensor::Shape& shape, const std::vector<float>& values) {
  return Tensor::of(tensor::ElementType::float32, shape, values);
}

NamedTensors outputs(const Tensor& a, const Tensor& b) {
  NamedTensors values;
  values.set("a", a);
  values.set("b", b);
  return values;
}

Lines explain(const NamedTensors& first, const NamedTensors& second) {
  compare::ComparePlan plan;
  plan.functions = {compare::compare_functions().data()};  // `simple`
  return explain_outputs({"one", first}, {"two", second}, plan).notes;
}

const Tensor kOne = floats({2}, {1, 2});
const Tensor kTwo = floats({2}, {3, 4});

TEST(ExplainOutputs, FindsSwappedOutputs) {
  EXPECT_EQ(explain(outputs(kOne, kTwo), outputs(kTwo, kOne)),
            (Lines{"Output 'a' of one has the values of 'b' of two: the outputs may be swapped",
                   "Output 'b' of one has the values of 'a' of two: the outputs may be swapped"}));
}

TEST(ExplainOutputs, SaysNothingOfOutputsThatAgreeOrAreSimplyWrong) {
  EXPECT_EQ(explain(outputs(kOne, kTwo), outputs(kOne, kTwo)), Lines());
  EXPECT_EQ(explain(outputs(kOne, kTwo), outputs(floats({2}, {7, 8}), kTwo)), Lines());
  // Both outputs of the second side are the same within the tolerances.
  EXPECT_EQ(explain(outputs(kOne, kTwo), outputs(kTwo, kTwo)), Lines());
}

TEST(ExplainOutputs, FindsTransposedAxes) {
  const Tensor rows = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(explain(outputs(rows, kTwo), outputs(floats({3, 2}, {1, 4, 2, 5, 3, 6}), kTwo)),
            Lines{"Output 'a' of one agrees with that of two if the axes of the latter are transposed to the order "
                  "(1, 0)"});
}

// An engine isn't at fault for that: the scores by which TopK chooses may differ slightly.
TEST(ExplainOutputs, FindsRowsInAnotherOrder) {
  const NamedTensors first = outputs(floats({3, 2}, {1, 2, 3, 4, 5, 6}), kTwo);
  const NamedTensors second = outputs(floats({3, 2}, {3, 4, 1, 2, 5, 6}), kTwo);
  const Lines notes = explain(first, second);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_TRUE(notes[0].starts_with("Output 'a': 2 of the 2 differing rows agree with another row")) << notes[0];
  compare::ComparePlan plan;
  plan.functions = {compare::compare_functions().data()};
  EXPECT_FALSE(explain_outputs({"one", first}, {"two", second}, plan).all);
}

TEST(ExplainOutputs, SaysWhetherAllThatDiffersIsExplained) {
  compare::ComparePlan plan;
  plan.functions = {compare::compare_functions().data()};  // `simple`
  const auto all = [&](const NamedTensors& first, const NamedTensors& second) {
    return explain_outputs({"one", first}, {"two", second}, plan).all;
  };
  EXPECT_TRUE(all(outputs(kOne, kTwo), outputs(kTwo, kOne)));
  EXPECT_FALSE(all(outputs(kOne, kTwo), outputs(kOne, kTwo)));
  EXPECT_FALSE(all(outputs(kOne, kTwo), outputs(floats({2}, {7, 8}), kOne)));
}

}  // namespace
}  // namespace assay::locate
