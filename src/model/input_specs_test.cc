#include "model/input_specs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/load.h"

namespace assay::model {
namespace {

using testing::ElementsAre;
using testing::Field;

TEST(InputSpecs, InputsWithAndWithoutValuesAreListedApart) {
  const Model model = parse_text(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[2] v, float[N, 3] x, float[2] w) => (float[2] y) <float[2] w = {1, 1}, float[2] v = {1, 1}, float[2] k = {1, 1}>
      { y = Sum(v, w, k) })")
                          .value();
  EXPECT_THAT(input_specs(model), ElementsAre(Field(&tensor::TensorSpec::name, "x")));
  EXPECT_THAT(input_specs(model)[0].shape, ElementsAre(-1, 3));
  EXPECT_THAT(inputs_with_values(model.graph()), ElementsAre("v", "w"));
}

TEST(InputSpecs, InputsThatAreLostAreThoseThatCouldBeSet) {
  Model after = parse_text(R"(<ir_version: 4, opset_import: ["" : 9]>
      g (float[2] x, float[2] w) => (float[2] y) <float[2] w = {1, 1}, float[2] v = {1, 1}> { y = Sum(x, w, v) })")
                    .value();
  EXPECT_THAT(lost_inputs({"v", "w", "u"}, after.proto), ElementsAre("v", "u"));
  after.proto.set_ir_version(3);
  EXPECT_THAT(lost_inputs({"v", "w", "u"}, after.proto), ElementsAre());
}

}  // namespace
}  // namespace assay::model
