#include "surgeon/graph/declare_outputs.h"

#include "base/test_log.h"
#include "model/inference/check.h"
#include "surgeon/graph/test_models.h"

namespace assay::surgeon {
namespace {

TEST(DeclareOutputs, TakesTypesFromInference) {
  model::Model model = parse("g (float[2,3] x) => (float[3] y) { a = Shape(x)  b = Cast <to = 1>(a)  y = Neg(x) }");
  model.graph().add_output()->set_name("a");
  EXPECT_FALSE(model::check(model));
  base::test::TestLog log(base::Level::warning);
  declare_outputs(model, log);
  EXPECT_TRUE(model::check(model));
  EXPECT_EQ(model.graph().output(1).type().tensor_type().elem_type(), onnx::TensorProto::INT64);
  EXPECT_EQ(model.graph().output(0).type().tensor_type().shape().dim(0).dim_value(), 3) << "changed a declared one";
  EXPECT_EQ(log.text(), "");
}

TEST(DeclareOutputs, WarnsIfATypeIsUnknown) {
  model::Model model = parse("g (float[2] x) => (float[2] y) { a = Unknown(x)  y = Neg(x) }");
  model.graph().add_output()->set_name("a");
  base::test::TestLog log(base::Level::warning);
  declare_outputs(model, log);
  EXPECT_THAT(log.text(), testing::HasSubstr("The type of output 'a' is unknown"));
}

}  // namespace
}  // namespace assay::surgeon
