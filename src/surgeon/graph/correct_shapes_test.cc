#include "surgeon/graph/correct_shapes.h"

#include <gmock/gmock.h>

#include "model/shapes.h"
#include "surgeon/graph/test_models.h"

namespace assay::surgeon {
namespace {

using model::Dimension;
using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(CorrectShapes, FalseShapesBecomeTheInferredOnes) {
  model::Model model = parse(
      "g (float[2,3] x) => (float[2,3] y, float[N,3] z) <float[2,3] t> { t = Transpose(x)  y = Neg(t)  z = Abs(x) }");
  EXPECT_THAT(correct_shapes(model),
              ElementsAre(Field(&CorrectedShape::tensor, "y"),
                          AllOf(Field(&CorrectedShape::tensor, "t"),
                                Field(&CorrectedShape::fault, HasSubstr("(2, 3), but the node computes (3, 2)")))));
  const auto known = model::known_tensors(model);
  EXPECT_THAT(*known.at("t").shape, ElementsAre(Field(&Dimension::value, 3), Field(&Dimension::value, 2)));
  EXPECT_THAT(*known.at("y").shape, ElementsAre(Field(&Dimension::value, 3), Field(&Dimension::value, 2)));
  EXPECT_THAT(*known.at("z").shape, ElementsAre(Field(&Dimension::symbol, "N"), Field(&Dimension::value, 3)))
      << "another shape, but no contradiction";
  EXPECT_THAT(correct_shapes(model), IsEmpty());
}

TEST(CorrectShapes, FalseShapesInBodiesAreRemoved) {
  const auto graph = [](const char* inner) {
    return std::string(
               "g (bool c, float[3,2] t) => (s) { s = If (c) <then_branch = a () => (int64[2] o) { o = Shape(t) },"
               "else_branch = b () => (int64[2] p) <float[") +
           inner + "] r> { r = Neg(t)  p = Shape(r) }> }";
  };
  model::Model right = parse(graph("3,2")), wrong = parse(graph("2,3"));
  EXPECT_THAT(correct_shapes(right), IsEmpty());
  EXPECT_THAT(
      correct_shapes(wrong),
      ElementsAre(Field(&CorrectedShape::fault, HasSubstr("The bodies of If 's' (node #0) declare other shapes"))));
  EXPECT_THAT(correct_shapes(wrong), IsEmpty());
}

}  // namespace
}  // namespace assay::surgeon
