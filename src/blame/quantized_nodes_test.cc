#include "blame/quantized_nodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/temp_dir.h"
#include "model/load.h"

namespace assay::blame {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr auto kHeader = "<ir_version: 8, opset_import: [\"\" : 17]>\n";

model::Model parse(const std::string& text) {
  return model::parse_text(kHeader + text).value();
}

constexpr auto kFloats = R"(g (float[2] x) => (float[2] y) {
  [scale] a = Constant <value = float[2] {1, 2}> ()  [first] b = Mul(x, a)  c = Relu(b)  [last] y = Neg(c) })";
constexpr auto kQuantized = R"(g (float[2] x) => (float[2] y) <float s = {0.1}, int8[2] a_q = {1, 2}> {
  d = DequantizeLinear(a_q, s)  c = Mul(x, d)  q = QuantizeLinear(c, s)  r = DequantizeLinear(q, s)  [last] y = Neg(r) })";

base::Expected<QuantizedNodes> nodes_of(const std::string& quantized) {
  return QuantizedNodes::make(parse(kFloats), parse(quantized), std::nullopt, "q.onnx");
}

TEST(QuantizedNodes, NameTheNodesOfTheFloatModel) {
  const QuantizedNodes nodes = nodes_of(kQuantized).value();
  ASSERT_EQ(nodes.candidates().size(), 2U);
  EXPECT_EQ(nodes.describe(nodes.candidates()[0]), "Mul 'first' (node #0), Relu 'c' (node #1)");
  EXPECT_EQ(nodes.describe(nodes.candidates()[1]), "Neg 'last' (node #2)");
  EXPECT_THAT(nodes.names_of({0, 1}), ElementsAre("first", "last"));
}

TEST(QuantizedNodes, AreWrittenWithThoseThatAreKeptInFloat) {
  const QuantizedNodes nodes = nodes_of(kQuantized).value();
  const base::TempDir folder = base::TempDir::create().value();
  const auto operators = [&](const std::set<int>& keep) {
    const base::Status written = nodes.write(keep, folder.path() / "mixed.onnx");
    EXPECT_TRUE(written) << written.error().message();
    std::vector<std::string> types;
    const model::Model mixed = model::load(folder.path() / "mixed.onnx").value();
    for (const auto& node : mixed.graph().node()) types.push_back(node.op_type());
    return types;
  };
  EXPECT_THAT(operators({}), ElementsAre("DequantizeLinear", "Mul", "QuantizeLinear", "DequantizeLinear", "Neg"));
  EXPECT_THAT(operators({0}), ElementsAre("Mul", "Relu", "QuantizeLinear", "DequantizeLinear", "Neg"));
  EXPECT_THAT(operators({0, 1}), ElementsAre("Mul", "Relu", "Neg"));
}

TEST(QuantizedNodes, NeedAModelThatDiffers) {
  const auto nodes = nodes_of(kFloats);
  ASSERT_FALSE(nodes);
  EXPECT_THAT(nodes.error().message(),
              HasSubstr("no tensor is computed by other nodes than in the float model (in q.onnx)"));
}

}  // namespace
}  // namespace assay::blame
