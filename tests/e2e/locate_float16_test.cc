// assay debug locate --fp16: a layer whose values exceed float16, planted into a real model.
#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "model/load.h"
#include "model/save.h"
#include "model/weights.h"
#include "tests/e2e/workspace.h"
#include "tests/support/paths.h"

namespace assay::e2e {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

class LocateFloat16Test : public EngineWorkspace {
 protected:
  // Multiplies the result of the node at `index` by 2^15 twice and divides it again, under the same name.
  void plant(const std::string& name, int index) const {
    auto loaded = model::load(test::models_dir() / "light_squeezenet.onnx");
    ASSERT_TRUE(loaded) << loaded.error().message();
    onnx::GraphProto& graph = loaded->graph();
    onnx::GraphProto changed;
    for (int i = 0; i < graph.node_size(); ++i) {
      const std::string tensor = graph.node(i).output(0);
      *changed.add_node() = graph.node(i);
      if (i != index) continue;
      changed.mutable_node(i)->set_output(0, "planted_raw");
      const Words names = {"planted_raw", "planted_scaled", "planted_large", "planted_back", tensor};
      for (std::size_t step = 0; step + 1 < names.size(); ++step) {
        onnx::NodeProto& node = *changed.add_node();
        node.set_op_type("Mul");
        node.add_input(names[step]);
        node.add_input(step < 2 ? "planted_up" : "planted_down");
        node.add_output(names[step + 1]);
      }
    }
    graph.mutable_node()->Swap(changed.mutable_node());
    for (const auto& [weight, exponent] : {std::pair("planted_up", 15), std::pair("planted_down", -15)}) {
      const auto value = tensor::Tensor::of<float>(tensor::ElementType::float32, {}, {std::ldexp(1.0F, exponent)});
      *graph.add_initializer() = model::to_proto(weight, value);
    }
    loaded->proto.set_ir_version(std::max<std::int64_t>(loaded->proto.ir_version(), 4));
    const auto saved = model::save(*loaded, path(name));
    ASSERT_TRUE(saved) << saved.error().message();
  }
};

// With saved values, the reduction can only remove nodes.
TEST_F(LocateFloat16Test, SuggestsNoReductionOfAPieceOfOneNode) {
  const std::string head =
      R"(<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => (float[2] y) { e = Exp(x) s = )";
  write_model("m.onnx", head + "Sin(e) y = Neg(s) }");
  write_model("against.onnx", head + "Cos(e) y = Neg(s) }");
  const Finished done =
      assay({"debug", "locate", "m.onnx", "--onnxrt", "--against", "against.onnx", "-o", "piece.onnx"});
  EXPECT_EQ(done.status, 1) << done.output;
  EXPECT_THAT(done.output, AllOf(HasSubstr("Saved piece.onnx (1 node)"), testing::Not(HasSubstr("debug reduce"))));
}

TEST_F(LocateFloat16Test, NamesALayerThatOverflowsInARealModel) {
  plant("planted.onnx", 43);
  const Finished done = assay({"debug", "locate", "planted.onnx", "--onnxrt", "--fp16", "-o", "piece.onnx", "--format",
                               "json", "--verbosity", "critical"});
  ASSERT_EQ(done.status, 1) << done.output;
  const auto found = nlohmann::json::parse(done.output);
  EXPECT_EQ(found["verdict"], "differ");
  EXPECT_EQ(found["first"]["tensor"], "planted_large") << done.output;
  EXPECT_TRUE(found["piece"]["confirmed"].get<bool>());
  EXPECT_EQ(found["piece"]["nodes"].size(), 1);
  EXPECT_TRUE(found["verified"].get<bool>());
  const double nodes = found["nodes"].get<double>();
  EXPECT_LE(found["runs"].get<double>(), std::floor(2 * std::log2(nodes)) + 8);
  EXPECT_THAT(files(), AllOf(Contains("piece.onnx"), Contains("piece_against.onnx"), Contains("piece_inputs.json"),
                             Contains("piece_golden.json")));
  const auto piece = model::load(path("piece.onnx"));
  ASSERT_TRUE(piece);
  EXPECT_EQ(piece->graph().output(0).type().tensor_type().elem_type(), onnx::TensorProto::FLOAT16);
  // The suggested next command fails, as the check of a reduction must.
  const Finished check = assay({"run", "piece.onnx", "--onnxrt", "--load-inputs", "piece_inputs.json", "--load-outputs",
                                "piece_golden.json", "--rtol", "0.01", "--atol", "0.01"});
  EXPECT_EQ(check.status, 1) << check.output;
  EXPECT_THAT(check.output, HasSubstr("Outputs that differ"));
  EXPECT_FALSE(found.contains("next")) << done.output;
}

// The activations grow from layer to layer and exceed 65504 at the 79th node.
TEST_F(LocateFloat16Test, NamesTheFirstLayerThatOverflowsByItself) {
  const std::string model = (test::models_dir() / "light_squeezenet.onnx").string();
  const Finished done = assay({"debug", "locate", model, "--onnxrt", "--fp16"});
  EXPECT_EQ(done.status, 1) << done.output;
  EXPECT_THAT(done.output, AllOf(HasSubstr("FIRST DIFFERENCE: tensor 'r40'"), HasSubstr("Born here"),
                                 HasSubstr("Next: `assay debug precision`")));
}

TEST_F(LocateFloat16Test, AModelThatFitsAgreesWithinTheDefaultsForFloat16) {
  const std::string model = (test::models_dir() / "polygraphy_reduce_example.onnx").string();
  const Finished done = assay({"debug", "locate", model, "--onnxrt", "--fp16"});
  EXPECT_EQ(done.status, 0) << done.output;
  EXPECT_THAT(done.output, HasSubstr("NO DIFFERENCE"));
}

// PyTorch's models of attention have such masks, and work in float16.
TEST_F(LocateFloat16Test, AMaskThatFloat16CannotHoldIsNoDifference) {
  write_model("model.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[4] x, bool[4] keep) => (float[4] y) <float zero = {0}, float least = {-3.4e38}> {
      mask = Where(keep, zero, least)  s = Add(x, mask)  y = Softmax(s) })");
  const Finished done = assay({"debug", "locate", "model.onnx", "--onnxrt", "--fp16"});
  EXPECT_EQ(done.status, 0) << done.output;
  EXPECT_THAT(done.output, HasSubstr("beyond it are compared as +-65504"));
}

// The weight is limited, too, but what it computes becomes infinite.
TEST_F(LocateFloat16Test, AnOverflowBehindAMaskIsFound) {
  write_model("model.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[4] x, bool[4] keep) => (float[4] y)
      <float zero = {0}, float least = {-3.4e38}, float up = {60000}, float down = {0.0001}> {
      mask = Where(keep, zero, least)  s = Add(x, mask)  p = Softmax(s)
      large = Mul(p, up)  square = Mul(large, up)  small = Mul(square, down)  y = Mul(small, down) })");
  const Finished done = assay({"debug", "locate", "model.onnx", "--onnxrt", "--fp16"});
  EXPECT_EQ(done.status, 1) << done.output;
  EXPECT_THAT(done.output, HasSubstr("FIRST DIFFERENCE: tensor 'square'"));
}

TEST_F(LocateFloat16Test, TolerancesThatAreGivenHold) {
  write_model("model.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[64] x) => (float[64] y) <float w = {0.1}> { y = Mul(x, w) })");
  EXPECT_EQ(assay({"debug", "locate", "model.onnx", "--onnxrt", "--fp16"}).status, 0);
  const Finished strict =
      assay({"debug", "locate", "model.onnx", "--onnxrt", "--fp16", "--rtol", "1e-6", "--atol", "1e-6"});
  EXPECT_EQ(strict.status, 1) << strict.output;
  EXPECT_THAT(strict.output, HasSubstr("FIRST DIFFERENCE: tensor 'y'"));
}

}  // namespace
}  // namespace assay::e2e
