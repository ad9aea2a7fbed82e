#include "model/weights.h"
#include "reduce/passes/node_passes.h"
#include "reduce/passes/pass_test_support.h"

namespace assay::reduce {
namespace {

tensor::NamedTensors recorded() {
  tensor::NamedTensors values;
  values.set("x", tensor::Tensor::of<float>(tensor::ElementType::float32, {2}, {1, 2}));
  return values;
}

model::Model with_raw_data(const std::string& text) {  // the form of recorded values
  model::Model model = test::parse(text);
  for (onnx::TensorProto& tensor : *model.graph().mutable_initializer()) {
    tensor = model::to_proto(tensor.name(), model::read_weight(model, tensor).value());
  }
  return model;
}

TEST(FreezeInputs, ThoseWithARecordedValue) {
  test::expect_all(freeze_inputs, test::parse("g (float[N] x, float[2] v) => (float[2] y) { y = Add(x, v) }"),
                   with_raw_data("g (float[2] v) => (float[2] y) <float[2] x = {1,2}> { y = Add(x, v) }"), recorded());
}

TEST(FreezeInputs, NotIfTypeOrShapeDiffer) {
  for (const std::string type : {"double[2]", "float[3]", "float[1,2]"}) {
    const model::Model model = test::parse("g (" + type + " x) => (" + type + " y) { y = Neg(x) }");
    EXPECT_TRUE(test::propose(freeze_inputs, model, recorded()).empty()) << type;
  }
}

TEST(FreezeInputs, NotWhatHasAValueAlready) {
  const model::Model model = test::parse("g (float[2] x) => (float[2] y) <float[2] x = {5,6}> { y = Neg(x) }");
  EXPECT_TRUE(test::propose(freeze_inputs, model, recorded()).empty());
}

}  // namespace
}  // namespace assay::reduce
