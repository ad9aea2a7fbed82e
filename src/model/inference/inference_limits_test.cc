#include "model/inference/inference_limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/inference/check.h"
#include "model/inference/infer_shapes.h"
#include "model/inference/type_faults.h"
#include "model/load.h"
#include "model/shapes.h"

namespace assay::model {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Optional;

Model parse(int opset, const std::string& body) {
  return parse_text("<ir_version: 8, opset_import: [\"\" : " + std::to_string(opset) + "]>\n" + body).value();
}

// Without the limit, each of these takes more than 16 GB.
const Model& split_into_many() {
  static const Model model =
      parse(18, "g (float[2000000000] x) => (float[N] y) { y = Split<num_outputs: int = 2000000000>(x) }");
  return model;
}

TEST(InferenceLimits, ASplitIntoManyOutputsIsNotInferred) {
  EXPECT_THAT(why_inference_is_unbounded(split_into_many().proto), HasSubstr("Split"));
  Model model = split_into_many();
  const base::Status inferred = infer_shapes(model);
  ASSERT_FALSE(inferred);
  EXPECT_THAT(inferred.error().message(), HasSubstr("num_outputs"));
  EXPECT_FALSE(inferred_values(model));
  EXPECT_THAT(full_check(model).error().message(), HasSubstr("num_outputs"));
  EXPECT_THAT(find_type_faults(model).faults, IsEmpty());
}

TEST(InferenceLimits, BodiesAndFunctionsAreSearched) {
  Model model = parse(18, R"(
      g (bool c, float[N] x) => (float[N] y) {
        y = If (c) <then_branch = t () => (float[N] a) { a = Split<num_outputs: int = 2000000000>(x) },
                    else_branch = e () => (float[N] b) { b = Identity(x) }>
      })");
  EXPECT_THAT(why_inference_is_unbounded(model.proto), HasSubstr("Split"));
  const onnx::NodeProto split = split_into_many().graph().node(0);
  model = parse(18, "g (float[N] x) => (float[N] y) { y = Identity(x) }");
  EXPECT_THAT(why_inference_is_unbounded(model.proto), IsEmpty());
  *model.proto.add_functions()->add_node() = split;
  EXPECT_THAT(why_inference_is_unbounded(model.proto), HasSubstr("Split"));
}

// ONNX 1.23.2 crashes if it infers these nodes, whose inputs have no known type.
TEST(InferenceLimits, TypesThatAreUnknownAreNotRead) {
  for (const std::string node : {"RegexFullMatch<pattern = \"a\">(a)", "RegexFullMatch<pattern = \"a\">(, )",
                                 "ai.onnx.ml.DictVectorizer<int64_vocabulary = [1]>(a)"}) {
    Model model = parse_text(
                      "<ir_version: 8, opset_import: [\"\" : 20, \"ai.onnx.ml\" : 3, \"custom\" : 1]>\n"
                      "g (string[2] x) => (bool[2] y) { a = custom.Op(x)  y = " +
                      node + " }")
                      .value();
    SCOPED_TRACE(node);
    EXPECT_TRUE(infer_shapes(model));
    static_cast<void>(full_check(model));
    static_cast<void>(find_type_faults(model));
  }
  Model model = parse(20, "g (string[2, 3] x) => (y) { y = RegexFullMatch<pattern = \"a\">(x) }");
  ASSERT_TRUE(infer_shapes(model));
  EXPECT_EQ(tensor_info(model.graph().output(0)).type, tensor::ElementType::boolean);
}

TEST(InferenceLimits, AnOldExpandDoesNotTakeALongVector) {
  const std::string text = "g (float[1] x, int64[2000000000] s) => (float y) { y = Expand(x, s) }";
  Model model = parse(8, text);
  EXPECT_THAT(infer_shapes(model).error().message(), HasSubstr("Expand"));
  model = parse(13, text);
  EXPECT_TRUE(infer_shapes(model));
  model = parse(8, "g (float[1] x, int64[3] s) => (float y) { y = Expand(x, s) }");
  EXPECT_TRUE(infer_shapes(model));
}

// Propagating values would allocate a message for each element, 140 GB in all.
TEST(InferenceLimits, ValuesOfLongVectorsAreNotPropagated) {
  Model model = parse(18, R"(
      g (float[1000, 1000, 1000] x) => (y, z, size) <int64[1] flat = {-1}> {
        vector = Reshape(x, flat)
        sum = Add(vector, vector)
        y = Mul(sum, vector)
        length = Shape(y)
        half = Constant<value: tensor = int64[1] {2}>()
        new_shape = Concat<axis = 0>(half, flat)
        z = Reshape(y, new_shape)
        size = ConstantOfShape(length)
      })");
  ASSERT_TRUE(infer_shapes(model));
  EXPECT_THAT(tensor_info(model.graph().output(0)).shape, Optional(ElementsAre(Field(&Dimension::value, 1000000000))));
  EXPECT_THAT(tensor_info(model.graph().output(1)).shape,
              Optional(ElementsAre(Field(&Dimension::value, 2), Field(&Dimension::value, 500000000))));
  EXPECT_THAT(tensor_info(model.graph().output(2)).shape, Optional(ElementsAre(Field(&Dimension::value, 1000000000))));
  EXPECT_THAT(find_type_faults(model).faults, IsEmpty());
}

// A model with a long vector used to lose all values.
TEST(InferenceLimits, OtherValuesArePropagatedNextToALongVector) {
  Model model = parse(18, R"(
      g (float[2000000000] long, float[2, 3] x) => (long_twice, y) {
        long_twice = Add(long, long)
        shape = Shape(x)
        y = ConstantOfShape(shape)
      })");
  ASSERT_TRUE(infer_shapes(model));
  EXPECT_THAT(tensor_info(model.graph().output(1)).shape,
              Optional(ElementsAre(Field(&Dimension::value, 2), Field(&Dimension::value, 3))));
}

}  // namespace
}  // namespace assay::model
