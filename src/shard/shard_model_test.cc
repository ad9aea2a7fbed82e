// Expected graphs are those that Polygraphy 0.53.6 creates for the same hints, but for names, order, and shapes of
// outputs.
#include "shard/shard_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "model/attributes.h"
#include "model/load.h"
#include "shard/propose_hints.h"
#include "shard/test_damaged_models.h"

namespace assay::shard {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr auto kAttention =
    "g (float[4,4] q, float[4,4] k, float[4,4] v) => (float[4,4] y) {"
    "  s = MatMul(q, k)  p = Softmax(s)  y = MatMul(p, v) }";

model::Model parse(const std::string& graph) {
  return model::parse_text("<ir_version: 8, opset_import: [\"\" : 17]>\n" + graph).value();
}

// Returns the nodes as "y = op(x)", where op of a collective node is its operation.
std::vector<std::string> nodes(const model::Model& model) {
  std::vector<std::string> lines;
  for (const onnx::NodeProto& node : model.graph().node()) {
    std::string op = node.op_type();
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (attribute.name() == "collective_operation") op = attribute.s();
    }
    std::string line = node.output(0) + " = " + op + "(";
    for (const std::string& input : node.input()) line += (line.back() == '(' ? "" : ", ") + input;
    lines.push_back(line + ")");
  }
  return lines;
}

std::vector<std::string> names(const std::vector<ShardTensor>& tensors) {
  std::vector<std::string> names;
  for (const ShardTensor& tensor : tensors) names.push_back(tensor.name);
  return names;
}

TEST(ShardModel, SplitsInputsAndGathersKeysValuesAndOutputs) {
  model::Model model = parse(kAttention);
  ASSERT_TRUE(shard_model(model, propose_hints(model, {})));
  EXPECT_THAT(nodes(model), testing::UnorderedElementsAre(
                                "q_part = reduce_scatter(q)", "k_part = reduce_scatter(k)",
                                "v_part = reduce_scatter(v)", "k_part_whole = all_gather(k_part)",
                                "v_part_whole = all_gather(v_part)", "s = MatMul(q_part, k_part_whole)",
                                "p = Softmax(s)", "y_part = MatMul(p, v_part_whole)", "y = all_gather(y_part)"));
  EXPECT_EQ(nodes(model).back(), "y = all_gather(y_part)");
}

TEST(ShardModel, GathersASharedTensorOnceAndLeavesWholeOutputs) {
  model::Model model =
      parse("g (float[4,4] q) => (float[4,4] y) { s = MatMul(q, q)  p = Softmax(s)  y = MatMul(p, q) }");
  ASSERT_TRUE(shard_model(model, propose_hints(model, {})));
  EXPECT_THAT(nodes(model),
              ElementsAre("q_part = reduce_scatter(q)", "q_part_whole = all_gather(q_part)",
                          "s = MatMul(q_part_whole, q_part_whole)", "p = Softmax(s)", "y = MatMul(p, q_part_whole)"));
}

TEST(ShardModel, TransposesIfTheSequenceIsNotTheFirstDimension) {
  model::Model model = parse(kAttention);
  ShardHints hints{.layers = {{.q = "q", .gather_kv = false}}, .outputs = {{.name = "y", .axis = 1}}};
  ASSERT_TRUE(shard_model(model, hints));
  EXPECT_THAT(nodes(model),
              ElementsAre("s = MatMul(q, k)", "p = Softmax(s)", "y_part = MatMul(p, v)", "y_first = Transpose(y_part)",
                          "y_moved = all_gather(y_first)", "y = Transpose(y_moved)"));
}

TEST(ShardModel, ReplacesAttentionByTheFusedOperator) {
  model::Model model = parse(kAttention);
  const FusedAttention fused{.is_causal = true, .k_shuffle = {1, 0}, .rank_count = 2};
  ASSERT_TRUE(shard_model(model, propose_hints(model, {.replace = fused})));
  EXPECT_THAT(nodes(model), testing::UnorderedElementsAre(
                                "q_part = reduce_scatter(q)", "k_part = reduce_scatter(k)",
                                "v_part = reduce_scatter(v)", "k_part_transposed = Transpose(k_part)",
                                "y_part = Attention(q_part, k_part_transposed, v_part)", "y = all_gather(y_part)"));
  for (const onnx::NodeProto& node : model.graph().node()) {
    if (node.op_type() != "Attention") continue;
    EXPECT_EQ(model::int_attribute(node, "is_causal", 0), 1);
    EXPECT_EQ(model::int_attribute(node, "nb_rank", 0), 2);
    EXPECT_EQ(model::int_attribute(node, "TRT_decomposable", 1), 0);
    EXPECT_EQ(model::find_attribute(node, "scale")->f(), 1.0F);
  }
}

TEST(ShardModel, SharesThatOthersReadStayIfAttentionIsReplaced) {
  model::Model model = parse(
      "g (float[4,4] q, float[4,4] k, float[4,4] v) => (float[4,4] y, float[4,4] z) {"
      "  s = MatMul(q, k)  p = Softmax(s)  y = MatMul(p, v)  z = Relu(p) }");
  const ShardHints hints{.layers = {{.q = "q", .gather_kv = false, .replace = FusedAttention{}}}};
  ASSERT_TRUE(shard_model(model, hints));
  EXPECT_THAT(nodes(model), ElementsAre("s = MatMul(q, k)", "p = Softmax(s)", "y = Attention(q, k, v)", "z = Relu(p)"));
}

// The form of PyTorch's scaled_dot_product_attention.
TEST(ShardModel, FindsAttentionWithScaledOperands) {
  model::Model model = parse(
      "g (float[4,4] q, float[4,4] k, float[4,4] v, float f) => (float[4,4] y) {"
      "  qs = Mul(q, f)  ks = Mul(k, f)  s = MatMul(qs, ks)  p = Softmax(s)  y = MatMul(p, v) }");
  const ShardHints hints = propose_hints(model, {.form = AttentionForm::scaled, .suggest_ports = false});
  ASSERT_THAT(hints.layers, testing::SizeIs(1));
  EXPECT_EQ(hints.layers[0].q, "q");
  ASSERT_TRUE(shard_model(model, hints, AttentionForm::scaled));
  EXPECT_THAT(nodes(model),
              ElementsAre("qs = Mul(q, f)", "ks = Mul(k, f)", "ks_whole = all_gather(ks)", "s = MatMul(qs, ks_whole)",
                          "p = Softmax(s)", "v_whole = all_gather(v)", "y = MatMul(p, v_whole)"));
  EXPECT_THAT(propose_hints(parse(kAttention), {.form = AttentionForm::scaled}).layers, IsEmpty());
}

TEST(ShardModel, NodesGetNamesThatAreUnused) {
  model::Model model = parse(
      "g (float[4,4] q, float[4,4] k, float[4,4] v) => (float[4,4] y) {"
      "  s = MatMul(q, k)  p = Softmax(s)  [\"make_y\"] y = MatMul(p, v) }");
  ASSERT_TRUE(shard_model(model, propose_hints(model, {})));
  EXPECT_EQ(model.graph().node().rbegin()->name(), "make_y_2");
}

TEST(ShardModel, RejectsHintsThatDoNotFit) {
  const auto error = [](const ShardHints& hints) {
    model::Model model = parse(kAttention);
    const base::Status status = shard_model(model, hints);
    return status ? std::string() : status.error().message();
  };
  EXPECT_THAT(error({.layers = {{.q = "nothing"}}}), HasSubstr("no attention layer has the Q 'nothing'"));
  EXPECT_THAT(error({.layers = {{.q = "q", .replace = FusedAttention{}}}}),
              HasSubstr("the attention layer of 'q' is to be both replaced and gathered"));
  EXPECT_THAT(error({.inputs = {{.name = "z"}}}), HasSubstr("'z'"));
  EXPECT_THAT(error({.outputs = {{.name = "s"}}}), HasSubstr("'s' is not an output"));
  EXPECT_THAT(error({.inputs = {{.name = "q", .axis = 2}}}), HasSubstr("'q' has 2 dimensions"));
}

TEST(ShardModel, ScalarsStayWhole) {
  model::Model model = parse(
      "g (float[4,4] q, float[4,4] k, float[4,4] v, float scale) => (float[4,4] y, float sum) {"
      "  r = Mul(q, scale)  s = MatMul(r, k)  p = Softmax(s)  y = MatMul(p, v)  sum = ReduceSum<keepdims = 0>(y) }");
  const base::Status status = shard_model(model, {.inputs = {{.name = "scale"}}});
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message(), HasSubstr("'scale' has 0 dimensions"));
  const ShardHints hints = propose_hints(model, {});
  EXPECT_THAT(names(hints.inputs), ElementsAre("q", "k", "v"));
  EXPECT_THAT(names(hints.outputs), ElementsAre("y"));
}

TEST(ProposeHints, NodesMayLackOperands) {
  const model::Model whole = parse(
      "g (float[4,4] q, float[4,4] k, float[4,4] v, float f) => (float[4,4] y) {"
      "  qs = Mul(q, f)  ks = Mul(k, f)  s = MatMul(qs, ks)  p = Softmax(s)  y = MatMul(p, v) }");
  for (const model::Model& damaged : test::damaged_models(whole)) {
    for (const AttentionForm form : {AttentionForm::plain, AttentionForm::scaled}) {
      model::Model model = damaged;
      static_cast<void>(shard_model(model, propose_hints(model, {.form = form}), form));
    }
  }
}

TEST(ProposeHints, NamesTheTensorsOfAttention) {
  const model::Model model = parse(
      "g (float[4,4] x, float[4,4] other) => (float[4,4] y, float[4,4] z) <float[4,4] w = {}> {"
      "  q = MatMul(x, w)  s = MatMul(q, x)  p = Softmax(s)  a = MatMul(p, x)  y = Relu(a)  z = Relu(other) }");
  const ShardHints hints = propose_hints(model, {.hints = {.k_axis = 1}});
  ASSERT_EQ(hints.layers.size(), 1);
  EXPECT_EQ(hints.layers[0].q, "q");
  EXPECT_THAT(names(hints.inputs), ElementsAre("x"));
  EXPECT_THAT(names(hints.outputs), ElementsAre("y"));
  EXPECT_EQ(hints.kv_rank, 2);
  EXPECT_EQ(hints.k_axis, 1);
  EXPECT_THAT(propose_hints(model, {.suggest_ports = false}).inputs, IsEmpty());
}

TEST(ProposeHints, RecognisesTheDimensionOfTheSequenceByItsName) {
  const ShardHints hints =
      propose_hints(parse("g (float[N,seq_len,4] q, float[N,4,sequence_length] k, float[N,S,4] v) =>"
                          "  (float[N,seq_len,4] y) {"
                          "  s = MatMul(q, k)  p = Softmax(s)  y = MatMul(p, v) }"),
                    {});
  ASSERT_THAT(hints.inputs, testing::SizeIs(3));
  EXPECT_EQ(hints.inputs[0].axis, 1);
  EXPECT_EQ(hints.inputs[1].axis, 2);
  EXPECT_EQ(hints.inputs[2].axis, 0);
  EXPECT_EQ(hints.outputs.at(0).axis, 1);
}

TEST(ShardHintsFile, IsReadAsItWasWritten) {
  const FusedAttention fused{.is_causal = true, .q_shuffle = {0, 2, 1}, .rank_count = 2};
  ShardHints hints{
      .layers = {{.q = "q", .gather_kv = false, .gather_q = true}, {.q = "r", .gather_kv = false, .replace = fused}},
      .collective = {.group_size = 4, .root = 1, .rank_count = 2, .reduce_op = "sum", .groups = {1, 2}},
      .inputs = {{.name = "x", .axis = 1, .rank = 3}},
      .outputs = {{.name = "y"}},
      .v_axis = 2};
  const std::string text = to_json(hints);
  const auto read = parse_hints(text, "hints.json");
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(to_json(*read), text);
}

TEST(ShardHintsFile, ReadsVersion049) {
  const auto hints = parse_hints(
      R"({"parallelism": "CP", "group_size": 2, "root": 0, "groups": [], "attention_layers": [], "inputs": [],
          "outputs": [], "k_seq_len_idx": 0, "v_seq_len_idx": 0, "kv_rank": null,
          "reduce_scatter_reduce_op": "min", "polygraphy_class": "ShardHints"})",
      "old.json");
  ASSERT_TRUE(hints) << hints.error().message();
  EXPECT_EQ(hints->collective.reduce_op, "min");
  EXPECT_EQ(hints->collective.group_size, 2);
}

TEST(ShardHintsFile, ThatIsSomethingElseIsRefused) {
  EXPECT_THAT(parse_hints("[]", "a.json").error().message(), HasSubstr("a.json"));
  EXPECT_THAT(parse_hints("text", "b.json").error().message(), HasSubstr("b.json"));
}

}  // namespace
}  // namespace assay::shard
