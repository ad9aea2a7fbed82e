#include "edit/tensor_facts.h"

#include <gtest/gtest.h>

#include "edit/model_texts.h"

namespace assay::edit {
namespace {

std::int32_t element_type(const TensorFacts& facts, const Subject& subject, const char* name) {
  const onnx::ValueInfoProto* value = facts.find(subject.view().find(name));
  return value == nullptr ? onnx::TensorProto::UNDEFINED : value->type().tensor_type().elem_type();
}

// A permutation that names an axis twice: inference stops there and knows nothing about later tensors.
TEST(TensorFacts, UseTypesOfSchemasIfInferenceFails) {
  const model::Model model = test::parse(
      "g (float[2,3] x) => (float[] y) { t = Transpose <perm = [0, 0]> (x) s = Shape (t) r = Relu (t) "
      "i = Cast <to = 7> (r) y = Neg (r) }");
  const Subject subject(model);
  const TensorFacts facts(subject, TensorFacts::Inference::onnx);
  EXPECT_EQ(element_type(facts, subject, "t"), onnx::TensorProto::FLOAT);
  EXPECT_EQ(element_type(facts, subject, "r"), onnx::TensorProto::FLOAT);
  EXPECT_EQ(element_type(facts, subject, "s"), onnx::TensorProto::INT64);
  for (const char* name : {"t", "r", "i"}) {
    const onnx::ValueInfoProto* value = facts.find(subject.view().find(name));
    ASSERT_NE(value, nullptr) << name;
    EXPECT_EQ(value->type().tensor_type().shape().dim_size(), 2) << name;
  }
}

// Positions in a schema count omitted outputs: the second output of Dropout is its mask.
TEST(TensorFacts, UseTheTypeOfAnOutputAfterAnOmittedOne) {
  model::Model model = test::parse(
      "g (float[2,3] x) => (bool[] m) { t = Transpose <perm = [0, 0]> (x) d, n = Dropout (t) m = Not (n) }");
  model.graph().mutable_node(1)->set_output(0, "");
  const Subject subject(model);
  EXPECT_EQ(element_type(TensorFacts(subject, TensorFacts::Inference::onnx), subject, "n"), onnx::TensorProto::BOOL);
}

// A custom operator ends ONNX's inference, but the node that reads its result also reads a tensor of known type.
TEST(TensorFacts, UseTypesThatReadersImply) {
  const model::Model model = test::parse(
      R"(agraph (float16[2] x, float16[2] w) => (float16[2] y) { a = custom.Op (x) b = Relu (a) y = Mul (b, w) })",
      R"(ir_version: 8, opset_import: ["" : 17, "custom" : 1])");
  const Subject subject(model);
  const TensorFacts facts(subject, TensorFacts::Inference::onnx);
  EXPECT_EQ(element_type(facts, subject, "a"), onnx::TensorProto::FLOAT16);
  EXPECT_EQ(element_type(facts, subject, "b"), onnx::TensorProto::FLOAT16);
  EXPECT_FALSE(names_rank(facts.find(subject.view().find("a"))));
}

}  // namespace
}  // namespace assay::edit
