#include "model/shapes.h"

#include <gmock/gmock.h>
#include <google/protobuf/util/message_differencer.h>
#include <gtest/gtest.h>

#include "model/inference/infer_shapes.h"
#include "model/load.h"
#include "model/tensor_info_text.h"

namespace assay::model {
namespace {

using testing::ElementsAre;

Model parse(const std::string& body) {
  return parse_text("<ir_version: 10, opset_import: [\"\" : 20]>\n" + body).value();
}

TEST(TensorInfo, ComesFromAValueInfoAndGoesBack) {
  const Model model =
      parse("g (float16[2, N, ?] a, float b, int64[] c, seq(float[2]) d) => (float[1] y) { y = Neg(a) }");
  std::vector<std::string> texts;
  for (const auto& input : model.graph().input()) {
    const TensorInfo info = tensor_info(input);
    texts.push_back(describe(info));
    if (!input.type().has_tensor_type()) continue;
    EXPECT_TRUE(google::protobuf::util::MessageDifferencer::Equals(to_value_info(input.name(), info), input));
  }
  EXPECT_THAT(texts, ElementsAre("float16 2 N ?", "float32", "int64 ?", "undefined ?"));
  EXPECT_FALSE(is_static(tensor_info(model.graph().input(0))));
  EXPECT_TRUE(is_static(tensor_info(model.graph().input(1)))) << "a scalar";
  EXPECT_FALSE(is_static(tensor_info(model.graph().input(2)))) << "no rank";

  onnx::ValueInfoProto hostile;
  hostile.mutable_type()->mutable_tensor_type()->set_elem_type(4711);
  hostile.mutable_type()->mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_value(-7);
  EXPECT_EQ(describe(tensor_info(hostile)), "undefined ?");
}

TEST(OverrideInputShapes, SetsShapesAndClearsOutdatedOnes) {
  const Model original = parse(R"(
    g (float[N, 3] x, bool c) => (float[N, 3] y) <float[N, 3] t> {
      t = Neg(x)
      y = If (c) <then_branch = b () => (float[N, 3] r) { r = Neg(t) }, else_branch = e () => (float[N, 3] r) { r = Abs(t) }>
    })");
  Model model = original;
  override_input_shapes(model, {{"x", {{8, ""}, {-1, "M"}}}});
  EXPECT_EQ(describe(tensor_info(model.graph().input(0))), "float32 8 M");
  EXPECT_EQ(model.graph().value_info_size(), 0);
  EXPECT_EQ(describe(tensor_info(model.graph().output(0))), "float32 ?");
  EXPECT_EQ(describe(tensor_info(model.graph().node(1).attribute(0).g().output(0))), "float32 ?");
  ASSERT_TRUE(infer_shapes(model));
  EXPECT_EQ(describe(tensor_info(model.graph().output(0))), "float32 8 M");

  Model partly = original;
  override_input_shapes(partly, {{"x", {{8, ""}}}, {"z", {{8, ""}}}});
  EXPECT_EQ(describe(tensor_info(partly.graph().input(0))), "float32 8");
}

// Inference would take the declaration of the output for the tensor.
TEST(OverrideInputShapes, InputsAndInitializersThatAreOutputsHaveShapes) {
  Model model = parse(R"(g (float[2,3] x) => (float[2,3] x, float[3] w, float[2,3] y) <float[3] w = {1,2,3}> {
    t = Add(x, w)  y = Mul(t, w) })");
  override_input_shapes(model, {{"x", {{5, ""}, {3, ""}}}});
  ASSERT_TRUE(infer_shapes(model));
  EXPECT_EQ(describe(tensor_info(model.graph().output(0))), "float32 5 3");
  EXPECT_EQ(describe(tensor_info(model.graph().output(1))), "float32 3");
  EXPECT_EQ(describe(tensor_info(model.graph().output(2))), "float32 5 3");
}

TEST(OverrideInputShapes, InputsOfBodiesKeepTheirRanks) {
  Model model = parse(R"(
    g (int64 n, bool c, float[2,3] x) => (float[2,3] y) {
      y = Loop (n, c, x) <body = b (int64 i, bool d, float[2,3] a) => (bool d, float[2,3] r) { r = Neg(a) }>
    })");
  override_input_shapes(model, {{"x", {{5, ""}, {3, ""}}}});
  const onnx::GraphProto& body = model.graph().node(0).attribute(0).g();
  EXPECT_EQ(describe(tensor_info(body.input(0))), "int64");
  EXPECT_EQ(describe(tensor_info(body.input(2))), "float32 ? ?");
  EXPECT_EQ(describe(tensor_info(body.output(1))), "float32 ?");
}

TEST(KnownTensors, PrefersTheMoreSpecificOfTwoSources) {
  Model model = parse("g (float[N] x) => (float y) <float[4] y, float[2] i = {1, 2}> { y = Neg(x) }");
  model.graph().mutable_output(0)->mutable_type()->mutable_tensor_type()->clear_shape();
  onnx::SparseTensorProto* sparse = model.graph().add_sparse_initializer();
  sparse->mutable_values()->set_name("s");
  sparse->mutable_values()->set_data_type(onnx::TensorProto::DOUBLE);
  sparse->add_dims(100);
  auto known = known_tensors(model);
  EXPECT_EQ(describe(known["y"]), "float32 4");
  EXPECT_EQ(describe(known["x"]), "float32 N");
  EXPECT_EQ(describe(known["i"]), "float32 2");
  EXPECT_EQ(describe(known["s"]), "float64 100");
  EXPECT_EQ(known.size(), 4u);
}

}  // namespace
}  // namespace assay::model
