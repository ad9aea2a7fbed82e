#include "surgeon/graph/new_type_faults.h"

#include <gmock/gmock.h>

#include "model/load.h"
#include "model/shapes.h"

namespace assay::surgeon {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

model::Model parse(const std::string& graph) {
  return model::parse_text("<ir_version: 9, opset_import: [\"\" : 20]>\n" + graph).value();
}

constexpr const char* kGraph =
    "g (float[N,3] x, float[3,4] w) => (float[N,4] y, bool z) { y = MatMul(x, w)  [old] z = Not(x) }";

TEST(NewTypeFaults, OnlyWhatTheEditBrokeCounts) {
  const model::Model before = parse(kGraph);
  model::Model after = before;
  EXPECT_THAT(new_type_faults(before, after), IsEmpty()) << "Not of a float is an old fault";
  model::override_input_shapes(after, {{"x", {{2, ""}, {3, ""}}}});
  EXPECT_THAT(new_type_faults(before, after), IsEmpty());
  model::override_input_shapes(after, {{"x", {{2, ""}, {5, ""}}}});
  EXPECT_THAT(new_type_faults(before, after),
              ElementsAre(testing::AllOf(HasSubstr("MatMul 'y' (node #0): "), HasSubstr("Incompatible dimensions"))));
}

TEST(NewTypeFaults, DeclaredShapesOfResultsDoNotCount) {
  const model::Model before = parse("g (float[2,3] x) => (float[2,3] y) { y = Neg(x) }");
  EXPECT_THAT(new_type_faults(before, parse("g (float[2,3] x) => (float[7] y) { y = Neg(x) }")), IsEmpty());
  EXPECT_THAT(new_type_faults(before, parse("g (float[2,3] x) => (int64[2,3] y) { y = Neg(x) }")),
              ElementsAre(HasSubstr("declared as int64, but the node computes float32")));
}

TEST(NewTypeFaults, LongListsAreCut) {
  const model::Model before =
      parse("g (float[2] x) => (a, b, c, d, e) { a = Neg(x) b = Abs(x) c = Exp(x) d = Log(x) e = Sin(x) }");
  model::Model after = before;
  after.graph().mutable_input(0)->mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::STRING);
  EXPECT_THAT(list_new_type_faults(before, after),
              testing::AllOf(HasSubstr("Neg 'a'"), HasSubstr("; Exp 'c'"), HasSubstr("; and 2 more")));
  EXPECT_EQ(list_new_type_faults(after, after), "");
}

}  // namespace
}  // namespace assay::surgeon
