#include "model/inference/type_faults.h"

#include <gmock/gmock.h>

#include "model/external_data.h"
#include "model/load.h"

namespace assay::model {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using Kind = TypeFault::Kind;

Model parse(const std::string& graph) {
  return parse_text("<ir_version: 9, opset_import: [\"\" : 20]>\n" + graph).value();
}

TEST(TypeFaults, AValidModelHasNone) {
  const TypeFaults found =
      find_type_faults(parse("g (float[N,3] x, float[3,4] w) => (float[N,4] y) { y = MatMul(x, w) }"));
  EXPECT_THAT(found.faults, IsEmpty());
  EXPECT_EQ(found.known.at("y").type, tensor::ElementType::float32);
}

TEST(TypeFaults, EachKindNamesItsNode) {
  const TypeFaults found = find_type_faults(parse(R"(
    g (float[2,3] x, int64[2] i) => (int64[2] b, float[7] d) {
      a = MatMul(x, x)
      b = Relu(x)
      c = Not(i)
      d = Neg(x)
    })"));
  ASSERT_EQ(found.faults.size(), 4u);
  const std::map<Kind, int> nodes = {
      {Kind::inference, 0}, {Kind::declared_type, 1}, {Kind::inputs, 2}, {Kind::declared_shape, 3}};
  for (const TypeFault& fault : found.faults) EXPECT_EQ(fault.node, nodes.at(fault.kind)) << fault.message;
  EXPECT_THAT(found.faults[0].message, HasSubstr("Incompatible dimensions"));
}

TEST(TypeFaults, ValuesThatWereNotLoadedAreNoFault) {
  Model model = parse(R"(
    g (float[4] x, float[2,3] a) => (float[2,2] y, float[2,2] z) <int64[2] shape = {2,2}> {
      y = Reshape(x, shape)
      z = MatMul(a, a)
    })");
  set_external_data(*model.graph().mutable_initializer(0),
                    {.location = "w.bin", .offset = 0, .length = 16, .inline_form = {}});
  model.weights_ignored = true;
  const TypeFaults found = find_type_faults(model);
  ASSERT_EQ(found.faults.size(), 1u);
  EXPECT_EQ(found.faults[0].node, 1);
}

TEST(TypeFaults, SparseInitializersAreDenseTensors) {
  Model model = parse("g (float[2,3] x) => (float[2,4] y) { y = MatMul(x, s) }");
  onnx::SparseTensorProto* sparse = model.graph().add_sparse_initializer();
  sparse->mutable_values()->set_name("s");
  sparse->mutable_values()->set_data_type(onnx::TensorProto::FLOAT);
  sparse->add_dims(3);
  sparse->add_dims(4);
  EXPECT_THAT(find_type_faults(model).faults, IsEmpty());
  sparse->set_dims(0, 5);
  EXPECT_EQ(find_type_faults(model).faults.size(), 1u);
}

}  // namespace
}  // namespace assay::model
