// The layers are those that Polygraphy 0.53.6 splits, in the same way; tests/e2e/differential compares the files of
// both.
#include "shard/tensor_parallel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "model/attributes.h"
#include "model/load.h"
#include "model/weights.h"
#include "shard/test_damaged_models.h"
#include "tensor/convert.h"

namespace assay::shard {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

const base::Stop kNeverStopped;

model::Model parse(const std::string& graph) {
  return model::parse_text("<ir_version: 8, opset_import: [\"\" : 21, \"test\" : 1]>\n" + graph).value();
}

// Layers as text: "w:1" is the weight w, split along dimension 1.
base::Expected<std::vector<std::vector<std::string>>> found(const model::Model& model) {
  ASSAY_ASSIGN(const std::vector<ParallelLayer> layers, find_parallel_layers(model::GraphView(model.graph())));
  std::vector<std::vector<std::string>> texts;
  for (const ParallelLayer& layer : layers) {
    auto& text = texts.emplace_back();
    for (const SplitWeight& weight : layer.weights) text.push_back(weight.name + ":" + std::to_string(weight.axis));
  }
  return texts;
}

std::string error_of(const std::string& graph) {
  const auto layers = found(parse(graph));
  return layers ? std::string() : layers.error().message();
}

std::map<std::string, std::vector<std::int64_t>> shapes(const model::Model& model) {
  std::map<std::string, std::vector<std::int64_t>> shapes;
  for (const onnx::TensorProto& weight : model.graph().initializer()) {
    shapes[weight.name()].assign(weight.dims().begin(), weight.dims().end());
  }
  return shapes;
}

constexpr auto kMlp = R"(
    g = MatMul(x, gate)  s = Sigmoid(g)  silu = Mul(g, s)  u = MatMul(x, up)  p = Mul(silu, u)  d = MatMul(p, down)
    y = Add(x, d))";
constexpr auto kMlpWeights = R"(float[2,4] gate = {0, 1, 2, 3, 4, 5, 6, 7}, float[2,4] up = {0, 1, 2, 3, 4, 5, 6, 7},
    float[4,2] down = {0, 1, 2, 3, 4, 5, 6, 7})";

std::string mlp() {
  return std::string("m (float[1,2] x) => (float[1,2] y) <") + kMlpWeights + "> {" + kMlp + "}";
}

constexpr auto kQuantizedMlp = R"(m (float[1,2] x) => (float[1,2] y)
      <int8[4,2] gate = {}, float[4,1] gate_scale = {}, int8[2,4] up = {}, float[4] up_scale = {}, float[4] bias = {},
       int8[2,4] down = {}, float s1 = {0.5}> {
      dg = DequantizeLinear<axis = 1, block_size = 2>(gate, gate_scale)  tg = Transpose(dg)
      du = DequantizeLinear<axis = 1>(up, up_scale)
      dd = DequantizeLinear(down, s1)  td = Transpose(dd)
      g0 = MatMul(x, tg)  g = Add(g0, bias)  s = Sigmoid(g)  silu = Mul(s, g)  u = MatMul(x, du)  p = Mul(u, silu)
      y = MatMul(p, td) })";

std::string attention(const std::string& operands, const std::string& before = "") {
  return R"(m (float[1,2] x, float[1,2,2,P,2] past, float f, float c, float i, float j) =>
      (float[1,2] y, float[1,2,2,T,2] present)
      <float[2,8] wq = {}, float[2,4] wk = {}, float[2,4] wv = {}, float[8,2] wo = {}> {
      q = MatMul(x, wq)  k = MatMul(x, wk)  v = MatMul(x, wv) )" +
         before + " [\"plugin\"] a, present = test.AttentionPlugin<num_q_heads = 4, num_kv_heads = 2>(" + operands +
         ")  y = MatMul(a, wo) }";
}

TEST(FindParallelLayers, FindsAttentionAndGatedMlps) {
  EXPECT_THAT(found(parse(mlp())).value(), ElementsAre(ElementsAre("gate:1", "up:1", "down:0")));
  const auto expected = ElementsAre(ElementsAre("wq:1", "wk:1", "wv:1", "wo:0"));
  EXPECT_THAT(found(parse(attention("q, k, v, past, f, c"))).value(), SizeIs(1));
  EXPECT_THAT(found(parse(attention("q, k, v, past, f, c, i, j"))).value(), expected);
  EXPECT_THAT(found(parse(attention("qkv, past, f, c, i, j", "qkv = Concat<axis = 1>(q, k, v)"))).value(), expected);
}

TEST(FindParallelLayers, OtherSigmoidsDoNotCount) {
  EXPECT_THAT(found(parse("m (float[2] x) => (float[2] y) { s = Sigmoid(x)  y = Mul(x, s) }")).value(), IsEmpty());
  EXPECT_THAT(found(parse("m (float[2] x) => (float[2] y) { y = Sigmoid(x) }")).value(), IsEmpty());
}

TEST(FindParallelLayers, SplitsBiasesAndQuantizedWeights) {
  EXPECT_THAT(found(parse(kQuantizedMlp)).value(),
              ElementsAre(ElementsAre("gate:0", "gate_scale:0", "bias:0", "up:1", "up_scale:0", "down:1")));
}

TEST(FindParallelLayers, RefusesWhatItCannotSplit) {
  EXPECT_THAT(error_of(R"(m (float[1,2] x) => (float[1,2] y) <float[2,4] w = {}, float[2,2] down = {}> {
      gu = MatMul(x, w)  g, u = Split<axis = 1, num_outputs = 2>(gu)  s = Sigmoid(g)  silu = Mul(g, s)
      p = Mul(silu, u)  y = MatMul(p, down) })"),
              HasSubstr("MatMul 'gu' (node #0) computes several parts of a layer at once"));
  EXPECT_THAT(error_of("m (float[1,2] x, float[2,4] gate, float[2,4] up, float[4,2] down) => (float[1,2] y) {" +
                       std::string(kMlp) + "}"),
              HasSubstr("MatMul 'g' (node #0) reads 'gate', which isn't a matrix among the model's initializers"));
  EXPECT_THAT(error_of("m (float[1,2] x) => (float[1,2] y, float[2,4] z) <" + std::string(kMlpWeights) + "> {" + kMlp +
                       " z = Relu(up) }"),
              HasSubstr("'up' has other readers than MatMul 'u' (node #3), which needs only a part of it"));
  EXPECT_THAT(error_of(R"(m (float[1,2] x) => (float[1,2] y, float p) {
      y, p = test.AttentionPlugin(x, x, x, x) })"),
              HasSubstr("lacks a MatMul above Q, K and V"));
}

TEST(FindParallelLayers, NodesMayLackOperands) {
  for (const std::string& graph : {mlp(), std::string(kQuantizedMlp), attention("q, k, v, past, f, c, i, j")}) {
    for (const model::Model& model : test::damaged_models(parse(graph))) static_cast<void>(found(model));
  }
}

TEST(ModelOfRank, AWeightMayBeAnInputOfUnknownShape) {
  model::Model model = parse(mlp());
  model.graph().add_input()->set_name("gate");
  const auto layers = find_parallel_layers(model::GraphView(model.graph()));
  ASSERT_TRUE(layers) << layers.error().message();
  const auto first = model_of_rank(model, *layers, {.rank_count = 2}, 0, kNeverStopped);
  EXPECT_TRUE(first) << first.error().message();
}

TEST(ModelOfRank, HasItsPartOfTheWeightsAndTheSumOfAll) {
  const model::Model model = parse(mlp());
  const auto layers = find_parallel_layers(model::GraphView(model.graph()));
  ASSERT_TRUE(layers) << layers.error().message();
  const Collective collective{.rank_count = 2};
  const auto second = model_of_rank(model, *layers, collective, 1, kNeverStopped);
  ASSERT_TRUE(second) << second.error().message();
  std::map<std::string, std::vector<double>> values;
  for (const onnx::TensorProto& weight : second->graph().initializer()) {
    values[weight.name()] = tensor::to_doubles(model::read_weight(*second, weight).value());
  }
  EXPECT_THAT(values, UnorderedElementsAre(testing::Pair("gate", ElementsAre(2, 3, 6, 7)),
                                           testing::Pair("up", ElementsAre(2, 3, 6, 7)),
                                           testing::Pair("down", ElementsAre(4, 5, 6, 7))));
  const onnx::NodeProto& sum = second->graph().node(6);
  EXPECT_EQ(sum.op_type(), "DistCollective");
  EXPECT_EQ(model::find_attribute(sum, "collective_operation")->s(), "all_reduce");
  EXPECT_EQ(model::find_attribute(sum, "reduce_op")->s(), "sum");
  EXPECT_THAT(sum.input(), ElementsAre("d_part"));
  EXPECT_THAT(sum.output(), ElementsAre("d"));
  EXPECT_EQ(model.graph().initializer(0).dims(1), 4) << "the original stays as it is";
}

TEST(ModelOfRank, DividesTheHeadsOfAttention) {
  const model::Model model = parse(attention("q, k, v, past, f, c, i, j"));
  const auto layers = find_parallel_layers(model::GraphView(model.graph()));
  ASSERT_TRUE(layers) << layers.error().message();
  model::Model filled = model;
  for (onnx::TensorProto& weight : *filled.graph().mutable_initializer()) {
    weight.clear_float_data();
    weight.set_raw_data(std::string(16 * 4 / (weight.name() == "wk" || weight.name() == "wv" ? 2 : 1), '\0'));
  }
  const auto first = model_of_rank(filled, *layers, {.rank_count = 2}, 0, kNeverStopped);
  ASSERT_TRUE(first) << first.error().message();
  EXPECT_THAT(shapes(*first),
              UnorderedElementsAre(testing::Pair("wq", ElementsAre(2, 4)), testing::Pair("wk", ElementsAre(2, 2)),
                                   testing::Pair("wv", ElementsAre(2, 2)), testing::Pair("wo", ElementsAre(4, 2))));
  const onnx::NodeProto& plugin = first->graph().node(3);
  EXPECT_EQ(model::int_attribute(plugin, "num_q_heads", 0), 2);
  EXPECT_EQ(model::int_attribute(plugin, "num_kv_heads", 0), 1);
  EXPECT_EQ(first->graph().input(1).type().tensor_type().shape().dim(2).dim_value(), 1);
  EXPECT_EQ(first->graph().output(1).type().tensor_type().shape().dim(2).dim_value(), 1);
  const auto refused = model_of_rank(filled, *layers, {.rank_count = 4}, 0, kNeverStopped);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message(),
              HasSubstr("num_kv_heads of AttentionPlugin 'plugin' is 2, which can't be split into 4 equal parts"));
}

}  // namespace
}  // namespace assay::shard
