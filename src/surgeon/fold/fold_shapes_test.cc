// The expected values come from NumPy's slicing and indexing of the shape.
#include "surgeon/fold/fold_shapes.h"

#include "surgeon/graph/test_models.h"
#include "tensor/format_array.h"

namespace assay::surgeon {
namespace {

// Returns the value of `y`, or "" if it is unknown.
std::string value_of(const std::string& body, const std::string& header = "ir_version: 8, opset_import: [\"\" : 17]") {
  const model::Model model = parse("g " + body, header);
  const model::GraphView view(model.graph());
  for (const KnownValue& known : fold_shapes(model, view, Constants(model.graph()), KnownShapes(model.graph()))) {
    if (view.name(view.outputs(known.node)[0]) == "y") return tensor::format_array(known.value);
  }
  return "";
}

std::string sliced(const std::string& starts, const std::string& ends, const std::string& steps) {
  return value_of("(float[7,N,5,4,3] x) => (int64[K] y) <int64[1] a = {" + starts + "}, int64[1] b = {" + ends +
                  "}, int64[1] axis = {0}, int64[1] step = {" + steps +
                  "}> { s = Shape(x)  y = Slice(s, a, b, axis, step) }");
}

TEST(FoldShapes, ShapesWithAStartAndAnEnd) {
  EXPECT_EQ(value_of("(float[2,3] x) => (int64[2] y) { y = Shape(x) }"), "[2 3]");
  EXPECT_EQ(value_of("(float x) => (int64[0] y) { y = Shape(x) }"), "[]");
  EXPECT_EQ(value_of("(float[N,3,4] x) => (int64[2] y) { y = Shape <start = 1> (x) }"), "[3 4]");
  EXPECT_EQ(value_of("(float[2,3,N] x) => (int64[2] y) { y = Shape <end = -1> (x) }"), "[2 3]");
  EXPECT_EQ(value_of("(float[2,3] x) => (int64[2] y) { y = Shape <start = -9, end = 9> (x) }"), "[2 3]");
  EXPECT_EQ(value_of("(float[2,3] x) => (int64[0] y) { y = Shape <start = 2, end = 1> (x) }"), "[]");
  EXPECT_EQ(value_of("(float[N,3] x) => (int64[2] y) { y = Shape(x) }"), "");
}

// A caller may set such an input to a value of any shape that it declares.
TEST(FoldShapes, AnInputWithAValueHasTheShapeThatItDeclares) {
  EXPECT_EQ(value_of("(float[N] w) => (int64[1] y) <float[3] w = {1,2,3}> { y = Shape(w) }"), "");
  EXPECT_EQ(value_of("(float[3] w) => (int64[1] y) <float[3] w = {1,2,3}> { y = Shape(w) }"), "[3]");
  EXPECT_EQ(value_of("(float x) => (int64[1] y) <float[3] w = {1,2,3}> { y = Shape(w) }"), "[3]");
}

TEST(FoldShapes, ASizeIsTheProduct) {
  EXPECT_EQ(value_of("(float[2,3] x) => (int64 y) { y = Size(x) }"), "6");
  EXPECT_EQ(value_of("(float[2,N] x) => (int64 y) { y = Size(x) }"), "");
  EXPECT_EQ(value_of("(float[9000000000,9000000000] x) => (int64 y) { y = Size(x) }"), "");
}

TEST(FoldShapes, SlicesOfKnownDimensions) {
  EXPECT_EQ(sliced("2", "5", "1"), "[5 4 3]");
  EXPECT_EQ(sliced("-2", "9223372036854775807", "1"), "[4 3]");
  EXPECT_EQ(sliced("0", "5", "2"), "[7 5 3]");
  EXPECT_EQ(sliced("2", "5", "9223372036854775807"), "[5]");
  EXPECT_EQ(sliced("3", "2", "1"), "[]");
  EXPECT_EQ(sliced("0", "2", "1"), "") << "it takes an unknown dimension";
  EXPECT_EQ(sliced("4", "2", "-1"), "") << "left to the engine";
}

TEST(FoldShapes, NothingFollowsFromAnOmittedInput) {
  EXPECT_EQ(value_of("(float[2,3] x) => (int64[1] y) <int64[1] i = {0}> { s = Shape(x)  y = Gather(, i) }"), "");
  EXPECT_EQ(value_of("(float[2,3] x) => (int64[1] y) <int64[1] i = {0}> { s = Shape(x)  y = Slice(, i, i) }"), "");
}

TEST(FoldShapes, BeforeOperatorSet10ASliceHasAttributes) {
  EXPECT_EQ(
      value_of(
          "(float[7,N,5] x) => (int64[1] y) { s = Shape(x)  y = Slice <axes = [0], starts = [2], ends = [3]> (s) }",
          "ir_version: 4, opset_import: [\"\" : 9]"),
      "[5]");
}

TEST(FoldShapes, GathersKnownDimensions) {
  const auto gathered = [](const std::string& index) {
    return value_of("(float[7,N,5] x) => (int64[K] y) <" + index + "> { s = Shape(x)  y = Gather(s, i) }");
  };
  EXPECT_EQ(gathered("int64 i = {2}"), "5");
  EXPECT_EQ(gathered("int32[2] i = {-1,0}"), "[5 7]");
  EXPECT_EQ(gathered("int64 i = {1}"), "");
  EXPECT_EQ(gathered("int64 i = {3}"), "") << "out of range: the engine says so";
}

TEST(FoldShapes, InABodyTheShapesAroundItAreKnown) {
  const model::Model model = parse(R"(g (float[2,3] x, bool c) => (int64[2] y) {
      y = If (c) <then_branch = t () => (int64[2] t) { t = Shape(x) },
                  else_branch = e () => (int64[2] e) <int64[2] k = {1,2}> { e = Identity(k) }> })");
  const onnx::GraphProto& body = model.graph().node(0).attribute(0).g();
  const model::GraphView view(body);
  const Constants outer_constants(model.graph());
  const KnownShapes outer_shapes(model.graph());
  const Constants constants(body, &outer_constants);
  EXPECT_EQ(fold_shapes(model, view, constants, KnownShapes(body, &outer_shapes)).size(), 1U);
  EXPECT_EQ(fold_shapes(model, view, constants, KnownShapes(body)).size(), 0U);
}

}  // namespace
}  // namespace assay::surgeon
