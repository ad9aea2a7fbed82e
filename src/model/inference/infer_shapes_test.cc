#include "model/inference/infer_shapes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/shape_inference/implementation.h>

#include "base/temp_dir.h"
#include "model/load.h"
#include "model/save.h"
#include "model/serialize.h"
#include "model/sort_graph.h"
#include "model/tensor_info_text.h"
#include "model/weights.h"
#include "tests/support/paths.h"

namespace assay::model {
namespace {

namespace fs = std::filesystem;
using tensor::ElementType;
using testing::HasSubstr;

Model parse(const std::string& body) {
  return parse_text("<ir_version: 10, opset_import: [\"\" : 20]>\n" + body).value();
}

TEST(InferShapes, FillsInTypesAndShapes) {
  Model model = parse(R"(
    g (float[2, N] x) => (y) <float[3, 2] w = {1, 2, 3, 4, 5, 6}> {
      m = MatMul(w, x)
      s = Shape(m)
      y = Expand(w2, s)
      w2 = Custom.Op(x)
    })");
  EXPECT_THAT(infer_shapes(model).error().message(), HasSubstr("Custom")) << "a domain that is not imported";
  model.proto.add_opset_import()->set_domain("Custom");
  model.proto.mutable_opset_import(1)->set_version(1);
  const auto status = infer_shapes(model);
  ASSERT_TRUE(status) << status.error().message();
  auto known = known_tensors(model);
  EXPECT_EQ(describe(known["m"]), "float32 3 N");
  EXPECT_EQ(describe(known["s"]), "int64 2");
  EXPECT_EQ(describe(known["w"]), "float32 3 2");
  EXPECT_FALSE(known.contains("w2")) << "an unknown operator";
}

TEST(InferShapes, GoesThroughFunctionsAndBodies) {
  Model model = parse(R"(
    g (bool c, float[4] x) => (y) {
      h = local.twice(x)
      y = If (c) <then_branch = t () => (float r) { r = Neg(h) }, else_branch = e () => (float r) { r = Abs(h) }>
    }
    <domain: "local", opset_import: ["" : 20]> twice (p) => (q) { q = Add(p, p) })");
  model.proto.add_opset_import()->set_domain("local");
  model.proto.mutable_opset_import(1)->set_version(1);
  for (int i = 0; i < 2; ++i) {
    onnx::GraphProto* body = model.graph().mutable_node(1)->mutable_attribute(i)->mutable_g();
    body->mutable_output(0)->mutable_type()->mutable_tensor_type()->clear_shape();
  }
  ASSERT_TRUE(infer_shapes(model));
  auto known = known_tensors(model);
  EXPECT_EQ(describe(known["h"]), "float32 4");
  EXPECT_EQ(describe(known["y"]), "float32 4");
}

TEST(InferredValues, AreThoseOfInferShapesAlone) {
  const Model model = parse("g (float[4] x) => (y) { h = Neg(x)  y = Abs(h) }");
  Model whole = model;
  ASSERT_TRUE(infer_shapes(whole));
  const auto values = inferred_values(model);
  ASSERT_TRUE(values);
  onnx::GraphProto expected;
  *expected.mutable_output() = whole.graph().output();
  *expected.mutable_value_info() = whole.graph().value_info();
  EXPECT_GT(expected.value_info_size(), 0);
  EXPECT_EQ(values->SerializeAsString(), expected.SerializeAsString());
}

// ONNX's own inference knows no shape of a sparse initializer.
TEST(InferShapes, TakesSparseInitializersForDenseTensors) {
  Model model = parse("g (float[3] x) => (float[3] y) { t = Neg(s)  v = Add(s, s)  u = Neg(x)  y = Sum(u, t, v) }");
  onnx::SparseTensorProto* sparse = model.graph().add_sparse_initializer();
  sparse->mutable_values()->set_name("s");
  sparse->mutable_values()->set_data_type(onnx::TensorProto::FLOAT);
  sparse->add_dims(3);
  const auto values = inferred_values(model);
  ASSERT_TRUE(infer_shapes(model));
  EXPECT_EQ(model.graph().initializer_size(), 0);
  ASSERT_EQ(model.graph().sparse_initializer_size(), 1);
  EXPECT_EQ(model.graph().sparse_initializer(0).values().name(), "s");
  auto known = known_tensors(model);
  for (const char* name : {"t", "u", "v"}) EXPECT_EQ(describe(known[name]), "float32 3") << name;
  ASSERT_TRUE(values);
  EXPECT_EQ(values->value_info_size(), 3);
}

TEST(InferShapes, TakesSparseInitializersOfBodiesForDenseTensors) {
  Model model = parse(R"(g (bool c, float[2,3] x) => (y) {
    y = If(c) <then_branch = t () => (a) { a = MatMul(x, s) }, else_branch = e () => (b) { b = MatMul(x, s) }>
  })");
  onnx::NodeProto& node = *model.graph().mutable_node(0);
  for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
    onnx::SparseTensorProto* sparse = attribute.mutable_g()->add_sparse_initializer();
    sparse->mutable_values()->set_name("s");
    sparse->mutable_values()->set_data_type(onnx::TensorProto::FLOAT);
    sparse->add_dims(3);
    sparse->add_dims(4);
  }
  ASSERT_TRUE(infer_shapes(model));
  EXPECT_EQ(describe(known_tensors(model)["y"]), "float32 2 4");
  EXPECT_EQ(model.graph().node(0).attribute(0).g().sparse_initializer_size(), 1);
  EXPECT_EQ(model.graph().node(0).attribute(0).g().initializer_size(), 0);
}

TEST(InferShapes, DoesNotNeedSortedNodes) {
  Model model = parse(R"(g (float[2,3] x) => (float[n] c) { c = Neg(b) b = Flatten<axis = 0>(a) a = Relu(x) })");
  const std::string before = model.graph().node(0).op_type();
  EXPECT_EQ(inferred_values(model).value().value_info_size(), 2);
  ASSERT_TRUE(infer_shapes(model));
  EXPECT_EQ(model.graph().node(0).op_type(), before);
  EXPECT_EQ(known_tensors(model).at("b").shape->at(1).value, 6);
}

// A constant that inference must read, although it is large enough to be left in the file.
TEST(InferShapes, SeesValuesOfIntegersByReference) {
  Model model = parse("g (float[600] x) => () { a = Identity(x) }");
  onnx::NodeProto* split = model.graph().add_node();
  split->set_op_type("Split");
  split->add_input("x");
  split->add_input("sizes");
  for (int i = 0; i < 300; ++i) split->add_output("part" + std::to_string(i));
  std::vector<std::int64_t> sizes(300, 2);
  sizes[0] = 1;
  sizes[1] = 3;
  *model.graph().add_initializer() = to_proto("sizes", tensor::Tensor::of(ElementType::int64, {300}, sizes));
  const auto dir = base::TempDir::create().value();
  for (const bool external : {false, true}) {
    SaveOptions options;
    if (external) options.external_data_path = "w";
    ASSERT_TRUE(save(model, dir.path() / "m.onnx", options));
    Model loaded = load(dir.path() / "m.onnx").value();
    const std::string reference = loaded.graph().initializer(0).SerializeAsString();
    ASSERT_EQ(loaded.graph().initializer(0).data_location(), onnx::TensorProto::EXTERNAL);
    ASSERT_TRUE(infer_shapes(loaded));
    auto known = known_tensors(loaded);
    EXPECT_EQ(describe(known["part0"]), "float32 1");
    EXPECT_EQ(describe(known["part1"]), "float32 3");
    EXPECT_EQ(describe(known["part299"]), "float32 2");
    EXPECT_EQ(loaded.graph().initializer(0).SerializeAsString(), reference) << "still by reference";
  }
}

TEST(InferShapes, KeepsTheModelIfInferenceFails) {
  Model model = parse(R"(
    g (float[2] x) => (y) { y = local.a(x) }
    <domain: "local", opset_import: ["local" : 1]> a (p) => (q) { q = local.a(p) })");
  const std::string before = model.proto.SerializeAsString();
  const auto status = infer_shapes(model);
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message(), HasSubstr("Cycle"));
  EXPECT_EQ(model.proto.SerializeAsString(), before);
}

// ONNX's own inference over the whole file, all weights in memory, as the reference.
TEST(InferShapes, FindsTheSameAsInferenceOfTheWholeFile) {
  std::vector<fs::path> files = test::onnx_files(test::models_dir());
  if (const auto shared = test::shared_dir()) {
    const auto more = test::onnx_files(*shared / "models");
    files.insert(files.end(), more.begin(), more.end());
  }
  std::size_t tensors = 0;
  for (const fs::path& path : files) {
    SCOPED_TRACE(path);
    Model ours = load(path).value();
    Model reference;
    ASSERT_TRUE(reference.proto.ParseFromString(serialize(ours).value()));
    ASSERT_TRUE(sort_graph(*reference.proto.mutable_graph()));  // ONNX ignores results of nodes after their readers
    bool broke = false;
    try {
      onnx::shape_inference::InferShapes(reference.proto, onnx::OpSchemaRegistry::Instance(),
                                         onnx::ShapeInferenceOptions(false, 0, true));
    } catch (const std::exception&) {
      broke = true;
    }
    const auto status = infer_shapes(ours);
    if (broke) continue;
    ASSERT_TRUE(status) << status.error().message();
    const auto expected = known_tensors(reference);
    const auto actual = known_tensors(ours);
    ASSERT_EQ(actual.size(), expected.size());
    for (const auto& [name, info] : expected) EXPECT_EQ(describe(actual.at(name)), describe(info)) << name;
    tensors += expected.size();
  }
  EXPECT_GT(tensors, 100u);
}

}  // namespace
}  // namespace assay::model
