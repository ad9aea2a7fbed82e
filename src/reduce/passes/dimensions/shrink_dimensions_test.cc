#include <algorithm>
#include <string>
#include <vector>

#include "model/weights.h"
#include "reduce/passes/bodies/body_test_support.h"
#include "reduce/passes/dimensions/dimension_passes.h"
#include "reduce/passes/dimensions/dimension_site.h"

namespace assay::reduce {
namespace {

using test::expect_change;
using test::expect_nothing;
using test::parse;
using test::proposed;

TEST(ShrinkDimensions, OpenSizesOfInputsAreBound) {
  expect_change(shrink_dimensions, "g (float[N,2] x, float[N] v) => (float[N,2] y) { y = Relu(x)  w = Abs(v) }", 0,
                "g (float[1,2] x, float[1] v) => (float[N,2] y) { y = Relu(x)  w = Abs(v) }");
}

TEST(ShrinkDimensions, InputsWeightsAndOutputsAreCutTogether) {
  const std::string before = R"(g (float[2,3] x) => (float[2,2] y)
      <float[3,2] w = {1,2,3,4,5,6}, float[2] b = {7,8}> { h = MatMul(x, w)  y = Add(h, b) })";
  EXPECT_THAT(proposed(shrink_dimensions, before),
              testing::ElementsAre("size 0 of 'h' reduced from 2 to 1", "size 0 of 'w' reduced from 3 to 1",
                                   "size 0 of 'b' reduced from 2 to 1", "size 0 of 'w' reduced from 3 to 2"));
  expect_change(shrink_dimensions, before, 1, R"(g (float[2,1] x) => (float[2,2] y)
      <float[1,2] w = {1,2}, float[2] b = {7,8}> { h = MatMul(x, w)  y = Add(h, b) })");
  expect_change(shrink_dimensions, before, 2, R"(g (float[2,3] x) => (float[2,1] y)
      <float[3,1] w = {1,3,5}, float[1] b = {7}> { h = MatMul(x, w)  y = Add(h, b) })");
}

TEST(ShrinkDimensions, ChannelsOfConvolutions) {
  expect_change(shrink_dimensions, R"(g (float[1,2,4,4] x) => (float[1,3,4,4] y)
      <float[3,2,1,1] w = {1,2,3,4,5,6}, float[3] b = {7,8,9}> { c = Conv(x, w, b)  y = Relu(c) })",
                1, R"(g (float[1,2,4,4] x) => (float[1,1,4,4] y)
      <float[1,2,1,1] w = {1,2}, float[1] b = {7}> { c = Conv(x, w, b)  y = Relu(c) })");
}

TEST(ShrinkDimensions, NothingIfANodesOperatorIsUnknown) {
  expect_nothing(shrink_dimensions, "g (float[2,3] x) => (int64[2] y) { y = Shape(x) }");
  expect_nothing(shrink_dimensions, R"(g (float[2,3] x, bool c) => (float[2,3] y) {
      y = If (c) <then_branch = t () => (float[2,3] t) { t = Neg(x) },
                  else_branch = e () => (float[2,3] e) { e = Exp(x) }> })");
}

TEST(ShrinkDimensions, AReshapeLetsGoOfWhatItLeavesOpen) {
  EXPECT_THAT(proposed(shrink_dimensions,
                       R"(g (float[5,2,3] x) => (float[5,6] y) <int64[2] s = {-1, 6}> { y = Reshape(x, s) })"),
              testing::ElementsAre("size 0 of 'x' reduced from 5 to 1", "size 0 of 'x' reduced from 5 to 2"));
}

TEST(ShrinkDimensions, SizesOfSparseWeightsStay) {
  model::Model model = parse("g (float[4,3] x, float[3,2] w) => (float[4,2] y) { y = MatMul(x, w) }");
  model.graph().mutable_input()->RemoveLast();
  onnx::SparseTensorProto& weight = *model.graph().add_sparse_initializer();
  weight.mutable_values()->set_name("w");
  weight.mutable_values()->set_data_type(onnx::TensorProto::FLOAT);
  weight.mutable_values()->add_dims(1);
  weight.mutable_values()->add_float_data(5);
  weight.mutable_indices()->set_data_type(onnx::TensorProto::INT64);
  weight.mutable_indices()->add_dims(1);
  weight.mutable_indices()->add_int64_data(2);
  for (const int size : {3, 2}) weight.add_dims(size);
  std::vector<std::string> whats;
  for (const edit::ModelChange& change : test::propose(shrink_dimensions, model)) whats.push_back(change.what);
  EXPECT_THAT(whats, testing::ElementsAre("size 0 of 'x' reduced from 4 to 1", "size 0 of 'x' reduced from 4 to 2"));
}

TEST(ShrinkDimensions, OpenSizesOfOutputsFollow) {
  expect_change(shrink_dimensions, "g (float[5,3] x) => (float[M,N] y) { y = Transpose(x) }", 0,
                "g (float[1,3] x) => (float[M,N] y) { y = Transpose(x) }");
}

TEST(ShrinkDimensions, TheSmallestOfSeveralSizesWins) {
  const model::Model model = parse("g (float[5] x) => (float[5] y) { y = Relu(x) }");
  for (const std::vector<std::size_t>& order : {std::vector<std::size_t>{0, 1}, {1, 0}}) {
    const model::Model applied = test::apply(shrink_dimensions, model, order, order.front() == 0 ? 1 : 2);
    EXPECT_EQ(test::text(applied), test::text(parse("g (float[1] x) => (float[1] y) { y = Relu(x) }")));
  }
}

TEST(ShrinkDimensions, APermutationOfTheWrongLengthIsLeftAlone) {
  const std::string model = "g (float[2,3,4] x) => (float[2,3,4] y) { y = Transpose <perm = [0,1]> (x) }";
  EXPECT_THAT(proposed(shrink_dimensions, model), testing::IsEmpty());
}

// Such nodes are invalid, but they may be the failure. Then their sizes have to stay.
TEST(ShrinkDimensions, NodesThatLackTensorsAreLeftAlone) {
  const std::vector<std::vector<std::string>> all_inputs = {{},   {"x"},     {"x", ""},
                                                            {""}, {"", "x"}, {"", "", "", "", "", "", "", "", ""}};
  std::vector<DimensionRow> rows(layer_dimensions().begin(), layer_dimensions().end());
  rows.insert(rows.end(), layout_dimensions().begin(), layout_dimensions().end());
  for (const DimensionRow& row : rows) {
    for (const std::vector<std::string>& inputs : all_inputs) {
      for (const bool has_output : {true, false}) {
        model::Model model = parse("g (float[2,3,4] x) => (float[2,3,4] y) { y = Identity(x) }");
        onnx::NodeProto& node = *model.graph().mutable_node(0);
        node.set_op_type(std::string(row.op_type));
        node.clear_input();
        for (const std::string& name : inputs) node.add_input(name);
        if (!has_output) node.clear_output();
        Dimensions dimensions(model.graph(), edit::known_value_infos(model));
        join_dimensions(model.graph(), dimensions);
        const auto first_empty = std::ranges::find(inputs, "") - inputs.begin();
        const bool lacks_input = first_empty < row.inputs;
        if (!lacks_input && has_output) continue;  // reading it without a crash is enough
        for (const Dimensions::Class& sizes : dimensions.free_classes()) {
          for (const auto& [tensor, axis] : sizes.members) {
            EXPECT_TRUE(tensor == "x" ? std::ranges::find(inputs, "x") == inputs.end() : !has_output)
                << row.op_type << " of " << inputs.size() << " inputs: axis " << axis << " of " << tensor;
          }
        }
      }
    }
  }
}

TEST(ShrinkDimensions, AConcatOfAnEmptyNameIsLeftAlone) {
  model::Model model = parse("g (float[2,3] x) => (float[2,3] y) { y = Concat <axis = 0> (x) }");
  model.graph().mutable_node(0)->add_input("");
  EXPECT_THAT(test::propose(shrink_dimensions, model), testing::IsEmpty());
}

class ShrinkDimensionsRun : public test::EngineTest {};

// Covers every operator with a rule of its own: all free sizes are shrunk at once, and the model still runs.
TEST_F(ShrinkDimensionsRun, TheRestRuns) {
  const model::Model model = parse(R"(g (float[2,3,4,4] x) => (float[2,5] y) <
        float[6,3,1,1] w, float[6] b, float[6] scale, float[6] bias, float[6] mean, float[6] var,
        float[6,6,1,1] w2, float[6,5] w3, float[5] b3, float[5] s3, float[5] o3, int64[1] axes = {2}> {
      c = Conv(x, w, b)
      n = BatchNormalization(c, scale, bias, mean, var)
      r = Relu(n)
      t = ConvTranspose(r, w2)
      a = Add(t, r)
      p = MaxPool <kernel_shape = [2,2], strides = [2,2]> (a)
      g1 = GlobalAveragePool(p)
      q = Squeeze(g1, axes)
      z = Transpose <perm = [0,2,1]> (q)
      m = ReduceMean <axes = [1], keepdims = 0> (z)
      k = Gemm(m, w3, b3)
      l = LayerNormalization <axis = -1> (k, s3, o3)
      y = Softmax(l) })");
  model::Model filled = model;
  filled.graph().clear_value_info();
  for (const onnx::ValueInfoProto& value : model.graph().value_info()) {
    const tensor::Shape shape = [&] {
      tensor::Shape sizes;
      for (const auto& dim : value.type().tensor_type().shape().dim()) sizes.push_back(dim.dim_value());
      return sizes;
    }();
    const std::vector<float> values(tensor::element_count(shape).value(), 0.5F);
    *filled.graph().add_initializer() =
        model::to_proto(value.name(), tensor::Tensor::of<float>(tensor::ElementType::float32, shape, values));
  }
  const auto changes = test::propose(shrink_dimensions, filled);
  ASSERT_GE(changes.size(), 4);
  const model::Model small = test::apply_all(filled, changes);
  test::expect_valid(small);
  tensor::NamedTensors feeds;
  feeds.set("x", tensor::Tensor::of<float>(tensor::ElementType::float32, {1, 1, 4, 4}, std::vector<float>(16, 1)));
  const tensor::NamedTensors outputs = run(small, feeds);
  ASSERT_NE(outputs.find("y"), nullptr);
  EXPECT_EQ(outputs.find("y")->shape(), (tensor::Shape{1, 1}));
}

}  // namespace
}  // namespace assay::reduce
