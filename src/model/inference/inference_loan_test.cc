#include "model/inference/inference_loan.h"

#include <gtest/gtest.h>

#include "model/inference/infer_shapes.h"
#include "model/load.h"
#include "tests/support/paths.h"

namespace assay::model {
namespace {

Model parse(const std::string& body) {
  return parse_text("<ir_version: 10, opset_import: [\"\" : 20]>\n" + body).value();
}

// Compares with inference in a complete copy.
void expect_as_inferred_in_a_copy(const Model& model) {
  const std::string before = model.proto.SerializeAsString();
  const auto values = inferred_values(model);
  EXPECT_EQ(model.proto.SerializeAsString(), before);
  Model copy = model;
  const base::Status status = infer_shapes(copy);
  ASSERT_EQ(values.has_value(), status.has_value());
  if (!values) {
    EXPECT_EQ(values.error().message(), status.error().message());
    return;
  }
  onnx::GraphProto expected;
  *expected.mutable_output() = copy.graph().output();
  *expected.mutable_value_info() = copy.graph().value_info();
  EXPECT_EQ(values->SerializeAsString(), expected.SerializeAsString());
}

TEST(InferenceLoan, LetsAsMuchBeInferredAsACopyOfAnyModel) {
  std::vector<std::filesystem::path> files = test::onnx_files(test::models_dir());
  if (const auto shared = test::shared_dir()) {
    for (const auto& path : test::onnx_files(*shared / "models")) files.push_back(path);
  }
  int seen = 0;
  for (const auto& path : files) {
    SCOPED_TRACE(path);
    const auto model = load(path);
    if (!model) continue;
    expect_as_inferred_in_a_copy(*model);
    ++seen;
  }
  EXPECT_GE(seen, 7);  // at least the project's own models
}

TEST(InferenceLoan, HoldsTheNodesOfTheModelWithoutThoseThatHaveBodies) {
  const Model model = parse(R"(
    g (float[2] x, bool c) => (float[2] z) <float[2] w = {1, 2}> {
      y = Add(x, w)
      z = If (c) <then_branch = a () => (float[2] t) { t = Neg(y) }, else_branch = b () => (float[2] e) { e = Abs(y) }>
    })");
  InferenceLoan loan(model);
  const onnx::GraphProto& graph = loan.proto().graph();
  ASSERT_EQ(graph.node_size(), 2);
  EXPECT_EQ(&graph.node(0), &model.graph().node(0));
  EXPECT_NE(&graph.node(1), &model.graph().node(1));
  EXPECT_EQ(&graph.initializer(0), &model.graph().initializer(0));
  EXPECT_EQ(loan.proto().SerializeAsString(), model.proto.SerializeAsString());
  expect_as_inferred_in_a_copy(model);
}

}  // namespace
}  // namespace assay::model
