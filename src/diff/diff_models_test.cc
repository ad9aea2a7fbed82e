#include "diff/diff_models.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "diff/diff_test_support.h"
#include "model/weights.h"
#include "tests/support/paths.h"

namespace assay::diff {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;
using testing::UnorderedElementsAre;

constexpr Ignore kNames{.names = true};

// Three layers of the same form, whose weights and names are given.
std::string layers(const std::vector<std::string>& names, const std::vector<int>& weights) {
  std::string initializers, nodes, before = "x";
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string name = names[i], value = std::to_string(weights[i]);
    initializers += (i > 0 ? ", " : "") + ("float[2,2] w" + name) + " = {" + value + ",1,2," + value + "}";
    nodes += "  [mul" + name + "] m" + name + " = MatMul(" + before + ", w" + name + ")\n  [relu" + name + "] r" +
             name + " = Relu(m" + name + ")\n";
    before = "r" + name;
  }
  return "g (float[2,2] x) => (float[2,2] y) <" + initializers + "> {\n" + nodes + "  [end] y = Neg(" + before + ") }";
}

TEST(DiffModels, AModelEqualsItself) {
  const model::Model model = parse(layers({"0", "1"}, {3, 4}));
  EXPECT_TRUE(compare(model, model).equal());
  EXPECT_EQ(compare(model, model).first.nodes, 5U);
  EXPECT_EQ(compare(model, model).first.weight_bytes, 32U);
}

TEST(DiffModels, ANodeThatWasPutInIsAddedAndItsReaderIsRewired) {
  const model::Model first = parse(layers({"0", "1"}, {3, 4}));
  model::Model second = first;
  onnx::NodeProto* node = second.graph().add_node();
  node->set_op_type("Abs");
  node->set_name("new");
  node->add_input("r0");
  node->add_output("n");
  second.graph().mutable_node(2)->set_input(0, "n");
  for (int i = 5; i > 2; --i) second.graph().mutable_node()->SwapElements(i, i - 1);
  EXPECT_THAT(lines(compare(first, second)),
              ElementsAre("node added: Abs new",
                          "wiring changed: MatMul mul1, input 0: 'r0' of Relu (node #1) -> 'n' of Abs (node #2)"));
  EXPECT_THAT(lines(compare(second, first)),
              ElementsAre("node removed: Abs new",
                          "wiring changed: MatMul mul1, input 0: 'n' of Abs (node #2) -> 'r0' of Relu (node #1)"));
}

TEST(DiffModels, NodesAreMatchedByStructureIfAllNamesDiffer) {
  const model::Model first = parse(layers({"0", "1", "2"}, {3, 4, 5}));
  const model::Model second = parse(layers({"a", "b", "c"}, {3, 4, 5}));
  EXPECT_THAT(lines(compare(first, second, kNames)), IsEmpty());
  // 3 weights, 6 nodes, and the tensors that they compute.
  EXPECT_THAT(lines(compare(first, second)), SizeIs(15));
  EXPECT_THAT(lines(compare(first, second)), Contains("name changed: MatMul mul0: 'mul0' -> 'mula'"));
}

TEST(DiffModels, ALayerThatIsMissingIsFoundByTheWeightsOfTheOthers) {
  const model::Model first = parse(layers({"0", "1", "2", "3"}, {3, 4, 5, 6}));
  const model::Model second = parse(layers({"0", "a", "b"}, {3, 5, 6}));  // renumbered without layer 1
  EXPECT_THAT(lines(compare(first, second, kNames)),
              ElementsAre("node removed: MatMul mul1", "node removed: Relu relu1",
                          StartsWith("wiring changed: MatMul mul2"), StartsWith("weight removed: weight w1")));
}

TEST(DiffModels, ALayerThatIsMissingIsFoundByTheNamesOfTheWeights) {
  const model::Model first = parse(layers({"0", "1", "2", "3"}, {3, 4, 5, 6}));
  const model::Model second = parse(layers({"0", "2", "3"}, {30, 50, 60}));  // trained again
  EXPECT_THAT(lines(compare(first, second)),
              UnorderedElementsAre("node removed: MatMul mul1", "node removed: Relu relu1",
                                   StartsWith("wiring changed: MatMul mul2"), StartsWith("weight removed: weight w1"),
                                   StartsWith("weight changed: weight w0"), StartsWith("weight changed: weight w2"),
                                   StartsWith("weight changed: weight w3")));
}

TEST(DiffModels, NumberedNamesThatShiftAreNotTakenForChanges) {
  // The exporter numbers nodes: the Abs shifts all numbers after it, so every name stands for another node.
  const model::Model first =
      parse("g (float[2] x) => (float[2] y) { [n0] a = Relu(x)  [n1] b = Neg(a)  [n2] c = Relu(b)  [n3] y = Exp(c) }");
  const model::Model second = parse(
      "g (float[2] x) => (float[2] y) { [n0] z = Abs(x)  [n1] a = Relu(z)  [n2] b = Neg(a)  [n3] c = Relu(b)  "
      "[n4] y = Exp(c) }");
  EXPECT_THAT(lines(compare(first, second, kNames)),
              ElementsAre("node added: Abs n0", StartsWith("wiring changed: Relu n0, input 0: input 'x' ->")));
}

TEST(DiffModels, AnOperatorThatWasReplacedIsOneChange) {
  const model::Model first = parse(layers({"0", "1"}, {3, 4}));
  model::Model second = parse(layers({"a", "b"}, {3, 4}));
  second.graph().mutable_node(1)->set_op_type("Sigmoid");
  EXPECT_THAT(lines(compare(first, second, kNames)),
              ElementsAre("node changed: Relu relu0, operator: Relu -> Sigmoid"));
}

TEST(DiffModels, AttributesAreComparedByNameNotByOrder) {
  const model::Model first =
      parse("g (float[2,3] x) => (float[3,2] y) { y = my.Op<a = 1, b = [1, 2], c = \"s\", d = 0.5, gone = 3>(x) }");
  const model::Model second =
      parse("g (float[2,3] x) => (float[3,2] y) { y = my.Op<fresh = 4, d = 0.25, c = \"t\", b = [1, 3], a = 1>(x) }");
  EXPECT_THAT(lines(compare(first, second)), ElementsAre("attribute changed: my.Op y, attribute 'b': [1, 2] -> [1, 3]",
                                                         "attribute changed: my.Op y, attribute 'c': 's' -> 't'",
                                                         "attribute changed: my.Op y, attribute 'd': 0.5 -> 0.25",
                                                         "attribute changed: my.Op y, attribute 'gone': 3 -> absent",
                                                         "attribute changed: my.Op y, attribute 'fresh': absent -> 4"));
}

TEST(DiffModels, WeightsAreComparedByValueNotByStorage) {
  const model::Model first = parse("g (float[2] x) => (float[2] y) <float[2] w = {1, 2}> { y = Add(x, w) }");
  model::Model second = first;
  onnx::TensorProto& weight = *second.graph().mutable_initializer(0);
  const std::vector<float> same = {1, 2}, other = {1, 5};
  weight.clear_float_data();
  weight.set_raw_data(std::string(reinterpret_cast<const char*>(same.data()), 8));
  EXPECT_TRUE(compare(first, second).equal());
  weight.set_raw_data(std::string(reinterpret_cast<const char*>(other.data()), 8));
  const ModelDiff diff = compare(first, second);
  ASSERT_THAT(diff.changes, SizeIs(1));
  ASSERT_TRUE(diff.changes[0].values);
  const WeightChange& values = *diff.changes[0].values;
  EXPECT_EQ(values.elements, 2U);
  EXPECT_EQ(values.different, 1U);
  EXPECT_EQ(values.largest, 3);
  EXPECT_EQ(values.at, tensor::Shape{1});
  EXPECT_EQ(values.norm, 3);
  EXPECT_DOUBLE_EQ(values.relative_norm, 3 / std::sqrt(5.0));
}

TEST(DiffModels, TypesAndShapesOfWeights) {
  const model::Model first = parse("g (float[2] x) => (float[2] y) <float[2] w = {1, 2}> { y = my.Op(x, w) }");
  const model::Model half = parse("g (float[2] x) => (float[2] y) <double[2] w = {1, 2}> { y = my.Op(x, w) }");
  const model::Model long_one = parse("g (float[2] x) => (float[2] y) <float[3] w = {1, 2, 3}> { y = my.Op(x, w) }");
  const ModelDiff types = compare(first, half);
  EXPECT_THAT(lines(types), ElementsAre("weight changed: weight w: float32 (2) -> float64 (2)"));
  EXPECT_EQ(types.changes[0].values->different, 0U);
  EXPECT_THAT(lines(compare(first, long_one)), ElementsAre("weight changed: weight w: float32 (2) -> float32 (3)"));
}

TEST(DiffModels, WeightsWithoutValuesAreAChangeAndNoError) {
  const model::Model first = parse("g (float[2] x) => (float[2] y) <float[2] w = {1, 2}> { y = Add(x, w) }");
  model::Model emptied = first;
  emptied.graph().mutable_initializer(0)->clear_float_data();
  EXPECT_THAT(lines(compare(first, emptied)), ElementsAre("weight changed: weight w: has values -> has no values"));
  EXPECT_THAT(lines(compare(emptied, first)), ElementsAre("weight changed: weight w: has no values -> has values"));
  EXPECT_TRUE(compare(emptied, emptied).equal());
  const model::Model wide = parse("g (float[2] x) => (float[2] y) <double[2] w = {1, 2}> { y = Add(x, w) }");
  const ModelDiff types = compare(emptied, wide);
  EXPECT_THAT(lines(types), ElementsAre("weight changed: weight w: float32 (2) -> float64 (2)"));
  EXPECT_FALSE(types.changes[0].values);
}

TEST(DiffModels, SparseWeightsHaveASizeAndAType) {
  const model::Model first = parse("g (float[2,3] x) => (y) { y = MatMul(x, s) }");
  model::Model second = first;
  onnx::SparseTensorProto& sparse = *second.graph().add_sparse_initializer();
  *sparse.mutable_values() = model::to_proto("s", tensor::Tensor::of<float>(tensor::ElementType::float32, {2}, {1, 2}));
  *sparse.mutable_indices() =
      model::to_proto("", tensor::Tensor::of<std::int64_t>(tensor::ElementType::int64, {2}, {0, 3}));
  sparse.add_dims(3);
  sparse.add_dims(4);
  const ModelDiff diff = compare(first, second);
  EXPECT_EQ(diff.second.weights, 1u);
  EXPECT_EQ(diff.second.weight_bytes, 2u * 4 + 2 * 8);
  EXPECT_THAT(lines(diff), testing::Contains(testing::HasSubstr("sparse float32 (3, 4)")));
}

TEST(DiffModels, ASharedWeightThatWasSplitIsAnEdge) {
  const model::Model first =
      parse("g (float[2] x) => (float[2] y) <float[2] w = {1, 2}> { [a] t = Add(x, w)  [b] y = Mul(t, w) }");
  const model::Model second = parse(
      "g (float[2] x) => (float[2] y) <float[2] w = {1, 2}, float[2] v = {3, 2}> { [a] t = Add(x, w)  [b] y = Mul(t, "
      "v) }");
  EXPECT_THAT(lines(compare(first, second)), ElementsAre("wiring changed: Mul b, input 1: weight 'w' -> weight 'v'",
                                                         "weight added: weight v:  -> float32 (2)"));
}

TEST(DiffModels, SwappedInputsAreEdges) {
  const model::Model first = parse("g (float[2] a, float[2] b) => (float[2] y) { y = Sub(a, b) }");
  const model::Model second = parse("g (float[2] a, float[2] b) => (float[2] y) { y = Sub(b, a) }");
  EXPECT_THAT(lines(compare(first, second)), ElementsAre("wiring changed: Sub y, input 0: input 'a' -> input 'b'",
                                                         "wiring changed: Sub y, input 1: input 'b' -> input 'a'"));
}

TEST(DiffModels, InputsAndOutputs) {
  const model::Model first = parse("g (float[N,2] x, int64[1] k) => (float[N,2] y) { y = Relu(x) }");
  const model::Model second =
      parse("g (float[M,3] x, float[4] other) => (float[N,2] y, float[N,2] z) { y = Relu(x)  z = Neg(x) }");
  EXPECT_THAT(lines(compare(first, second)),
              ElementsAre("input changed: input x, type: float32 (N, 2) -> float32 (M, 3)",
                          "input removed: input k: int64 (1) -> ", "input added: input other:  -> float32 (4)",
                          "output added: output z:  -> float32 (N, 2)", "node added: Neg z"));
  EXPECT_THAT(lines(compare(first, second, kNames)),
              Contains("input changed: input x, type: float32 (?, 2) -> float32 (?, 3)"));
}

TEST(DiffModels, AnOutputThatAnotherNodeComputes) {
  const model::Model first = parse("g (float[2] x) => (float[2] y) { y = Relu(x)  z = Neg(x) }");
  const model::Model second = parse("g (float[2] x) => (float[2] y) { z = Relu(x)  y = Neg(x) }");
  EXPECT_THAT(lines(compare(first, second, kNames)),
              ElementsAre("wiring changed: output y: 'y' of Relu (node #0) -> 'y' of Neg (node #1)"));
}

TEST(DiffModels, OrderNamesAndDocStringsCanBeIgnored) {
  const model::Model first =
      parse("g (float[2] a, float[2] b) => (float[2] y, float[2] z) { [p] y = Relu(a)  [q] z = Neg(b) }");
  model::Model second =
      parse("h (float[2] b, float[2] a) => (float[2] z, float[2] y) { [q] z = Neg(b)  [r] y = Relu(a) }");
  second.graph().mutable_node(0)->set_doc_string("news");
  EXPECT_THAT(
      lines(compare(first, second)),
      ElementsAre("name changed: graph g: 'g' -> 'h'", "name changed: Relu p: 'p' -> 'r'",
                  HasSubstr("order changed: inputs, 1 of 2 moved"), HasSubstr("order changed: outputs, 1 of 2 moved"),
                  HasSubstr("order changed: nodes, 1 of 2 moved"), "doc_string changed: Neg q: '' -> 'news'"));
  EXPECT_THAT(lines(compare(first, second, {.names = true, .order = true})),
              ElementsAre("doc_string changed: Neg q: '' -> 'news'"));
  EXPECT_TRUE(compare(first, second, {.names = true, .order = true, .doc_strings = true}).equal());
}

TEST(DiffModels, BodiesAreComparedBelowTheirNodes) {
  const auto text = [](const char* op, const char* captured) {
    return std::string(
               "g (float[2] x, bool c) => (float[2] y) { t = Neg(x)  y = If (c) <then_branch = then () => (float[2] p) "
               "{ p = ") +
           op + "(" + captured + ") }, else_branch = other () => (float[2] q) { q = Exp(x) }> }";
  };
  EXPECT_THAT(lines(compare(parse(text("Relu", "x")), parse(text("Abs", "x")))),
              ElementsAre("node changed: Relu p, operator: Relu -> Abs [body then_branch of If 'y' (node #1)]"));
  EXPECT_THAT(lines(compare(parse(text("Relu", "x")), parse(text("Relu", "t")))),
              ElementsAre(HasSubstr("wiring changed: Relu p, input 0: 'x', which no node computes here -> 't'")));
}

TEST(DiffModels, TensorsThatBodiesCaptureAreMatchedToo) {
  const auto text = [](const std::string& name) {
    return "g (float[2] x, bool c) => (float[2] y) { " + name +
           " = Neg(x)  y = If (c) <then_branch = then () => (float[2] p) "
           "{ p = Relu(" +
           name + ") }, else_branch = other () => (float[2] q) { q = Exp(" + name + ") }> }";
  };
  EXPECT_TRUE(compare(parse(text("t")), parse(text("renamed")), kNames).equal());
}

TEST(DiffModels, OpsetsFunctionsAndMetadata) {
  const model::Model first =
      model::parse_text(
          "<ir_version: 8, opset_import: [\"\" : 17, \"my\" : 1], metadata_props: [\"a\": \"1\", \"b\": \"2\"]>\n"
          "g (float[2] x) => (float[2] y) { y = my.F (x) }\n"
          "<domain: \"my\", opset_import: [\"\" : 17]> F (a) => (b) { b = Relu (a) }")
          .value();
  const model::Model second =
      model::parse_text(
          "<ir_version: 9, opset_import: [\"\" : 18, \"other\" : 1, \"my\" : 1], metadata_props: [\"a\": \"1\", \"b\": "
          "\"3\"]>\n"
          "g (float[2] x) => (float[2] y) { y = my.F (x) }\n"
          "<domain: \"my\", opset_import: [\"\" : 18]> F (p) => (q) { t = Abs(p)  q = Relu (t) }")
          .value();
  EXPECT_THAT(lines(compare(first, second, kNames)),
              ElementsAre("model changed: model, IR version: 8 -> 9", "opset changed: opset ai.onnx: 17 -> 18",
                          "opset added: opset other:  -> 1", "opset changed: opset ai.onnx: 17 -> 18 [function my.F]",
                          "metadata changed: model, metadata 'b': '2' -> '3'", "node added: Abs t [function my.F]",
                          HasSubstr("wiring changed: Relu b, input 0: input 'a' -> 't' of Abs")));
}

TEST(DiffModels, DeviceConfigurationsAreCompared) {
  model::Model first = parse("g (float[2] x) => (float[2] y) { y = Relu(x) }");
  onnx::DeviceConfigurationProto* devices = first.proto.add_configuration();
  devices->set_name("tensor");
  devices->set_num_devices(2);
  onnx::NodeDeviceConfigurationProto* used = first.graph().mutable_node(0)->add_device_configurations();
  used->set_configuration_id("tensor");
  EXPECT_TRUE(compare(first, first).equal());
  model::Model second = first;
  second.proto.mutable_configuration(0)->set_num_devices(4);
  second.graph().mutable_node(0)->mutable_device_configurations(0)->set_pipeline_stage(1);
  EXPECT_THAT(
      lines(compare(first, second)),
      ElementsAre("model changed: model, device configurations: ['tensor'] -> ['tensor'], with other values",
                  "attribute changed: Relu y, device configurations: ['tensor'] -> ['tensor'], with other values"));
  second.proto.clear_configuration();
  EXPECT_THAT(lines(compare(first, second)), Contains(HasSubstr("device configurations: ['tensor'] -> []")));
}

TEST(DiffModels, InnerTypesAreCompared) {
  const model::Model first = parse("g (float[2] x) => (float[2] y) { t = Relu(x)  y = Neg(t) }");
  model::Model second = first;
  onnx::ValueInfoProto* value = second.graph().add_value_info();
  *value = second.graph().input(0);
  value->set_name("t");
  EXPECT_THAT(lines(compare(first, second)), ElementsAre("type changed: tensor t, type: absent -> float32 (2)"));
}

TEST(DiffModels, ModelsWithCyclesAndDuplicateNamesAreCompared) {
  const auto text = [](const char* op) {
    return std::string("g (float[2] x) => (float[2] y) { [n] a = Add(x, b)  [n] b = Relu(a)  [n] y = ") + op + "(b) }";
  };
  EXPECT_TRUE(compare(parse(text("Neg")), parse(text("Neg"))).equal());
  EXPECT_THAT(lines(compare(parse(text("Neg")), parse(text("Exp")))),
              ElementsAre("node changed: Neg n, operator: Neg -> Exp"));
}

TEST(DiffModels, WeightsOfAllSizesInFilesAreMeasured) {
  const auto path = test::models_dir() / "polygraphy_reduce_example.onnx";
  const model::Model first = model::load(path).value();
  EXPECT_TRUE(compare(first, model::load(path).value()).equal());
}

// Three of the four weights are equal and all are renamed, so only the nodes of the bodies say which is which.
TEST(DiffModels, WeightsThatOnlyBodiesReadAreMatchedByTheirReaders) {
  const auto with_weights = [](const std::string& p, int last) {
    return parse(fmt::format(R"(g (bool k, float[2] x) => (float[2] y)
        <float[2] {0}a = {{1, 2}}, float[2] {0}b = {{1, 2}}, float[2] {0}c = {{1, 2}}, float[2] {0}d = {{1, {1}}}> {{
          y = If (k) <then_branch = t () => (float[2] u) {{ s = Add(x, {0}b)  u = Mul(s, {0}a) }},
                      else_branch = e () => (float[2] v) {{
                        v = If (k) <then_branch = tt () => (float[2] w) {{ w = Sub(x, {0}c) }},
                                    else_branch = ee () => (float[2] z) {{ z = Div(x, {0}d) }}> }}> }})",
                             p, last));
  };
  const model::Model first = with_weights("", 3);
  EXPECT_THAT(lines(compare(first, with_weights("new_", 3), kNames)), IsEmpty());
  EXPECT_THAT(lines(compare(first, with_weights("new_", 4), kNames)),
              ElementsAre(StartsWith("weight changed: weight d")));
  EXPECT_THAT(lines(compare(first, with_weights("new_", 3))), Contains(HasSubstr("'a' -> 'new_a'")));
}

}  // namespace
}  // namespace assay::diff
