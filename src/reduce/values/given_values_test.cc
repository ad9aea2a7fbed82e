#include "reduce/values/given_values.h"

#include <gtest/gtest.h>

#include "model/load.h"

namespace assay::reduce {
namespace {

tensor::NamedTensors named(std::initializer_list<const char*> names) {
  tensor::NamedTensors values;
  for (const char* name : names) values.set(name, tensor::Tensor::of<float>(tensor::ElementType::float32, {1}, {0}));
  return values;
}

// `scale` has a value in the model, so it needs none.
TEST(GivenValues, CoverInputsOrResults) {
  const model::Model model = model::parse_text(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[1] x, float[1] y, float[1] scale) => (float[1] z) <float[1] scale = {2}> {
        sum = Add(x, y)
        z = Mul(sum, scale)
      })")
                                 .value();
  EXPECT_FALSE(has_inputs(named({"x"}), model));
  EXPECT_TRUE(has_inputs(named({"x", "y"}), model));
  EXPECT_FALSE(has_results(named({"x", "y", "scale"}), model));
  EXPECT_TRUE(has_results(named({"sum"}), model));
}

}  // namespace
}  // namespace assay::reduce
