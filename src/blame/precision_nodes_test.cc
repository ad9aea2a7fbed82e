#include "blame/precision_nodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/temp_dir.h"
#include "model/load.h"

namespace assay::blame {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

PrecisionNodes nodes_of(const char* text) {
  return PrecisionNodes::make(model::parse_text(text).value(), std::nullopt, "m.onnx").value();
}

constexpr auto kModel = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[2] x) => (float[2] y) <float[2] w = {1, 100000}> { a = Relu(x) [second] y = Add(a, w) })";

TEST(PrecisionNodes, AWeightThatFloat16CannotHoldMakesItsNodeASuspect) {
  const PrecisionNodes nodes = nodes_of(kModel);
  ASSERT_EQ(nodes.candidates().size(), 2U);
  EXPECT_EQ(nodes.describe(nodes.candidates()[0]), "Relu 'a' (node #0)") << "a node without a name";
  EXPECT_EQ(nodes.describe(nodes.candidates()[1]), "Add 'second' (node #1)");
  EXPECT_THAT(nodes.suspects({}), ElementsAre(1));
  EXPECT_THAT(nodes.suspects({{"x", 70000}}), ElementsAre(0, 1));
}

TEST(PrecisionNodes, NodesOfBodiesAreNumberedBeforeTheNodeThatContainsThem) {
  const PrecisionNodes nodes = nodes_of(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (bool c, float[2] x, int64[2] i) => (float[2] y, int64[2] j) {
      y = If(c) <then_branch = t () => (float[2] a) { a = Exp(x) },
                 else_branch = e () => (float[2] b) { b = Neg(x) }>
      j = Add(i, i)
      z = Relu(y)
    })");
  std::vector<std::string> listed;
  for (const PrecisionCandidate& node : nodes.candidates()) {
    listed.push_back(std::to_string(node.number) + " " + node.op_type + (node.body_of.empty() ? "" : " in a body"));
  }
  EXPECT_THAT(listed, ElementsAre("0 Exp in a body", "1 Neg in a body", "2 If", "4 Relu"));
  EXPECT_EQ(nodes.describe(nodes.candidates()[1]), "Neg 'b' (node #0) in a body of If 'y'");
  EXPECT_EQ(nodes.describe(nodes.candidates()[3]), "Relu 'z' (node #2)") << "as other commands number it";
}

TEST(PrecisionNodes, NodesThatAreKeptReadNoFloat16) {
  const PrecisionNodes nodes = nodes_of(kModel);
  const base::TempDir folder = base::TempDir::create().value();
  const auto weight_type = [&](const std::set<int>& keep) {
    const base::Status written = nodes.write(keep, folder.path() / "mixed.onnx");
    EXPECT_TRUE(written) << written.error().message();
    return model::load(folder.path() / "mixed.onnx").value().graph().initializer(0).data_type();
  };
  EXPECT_EQ(weight_type({}), onnx::TensorProto::FLOAT16);
  EXPECT_EQ(weight_type({nodes.candidates()[1].number}), onnx::TensorProto::FLOAT);
}

TEST(PrecisionNodes, NeedAModelThatComputesInFloat32) {
  const auto nodes = PrecisionNodes::make(model::parse_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (int64[2] x) => (int64[2] y) { y = Add(x, x) })")
                                              .value(),
                                          std::nullopt, "m.onnx");
  ASSERT_FALSE(nodes);
  EXPECT_THAT(nodes.error().message(), HasSubstr("no node of the model can run in float16 (in m.onnx)"));
}

}  // namespace
}  // namespace assay::blame
