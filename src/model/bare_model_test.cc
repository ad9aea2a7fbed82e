#include "model/bare_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/inference/check.h"
#include "model/load.h"
#include "model/onnx_facts.h"

namespace assay::model {
namespace {

TEST(BareModel, HasTheVersionsOfTheModelAndOneNode) {
  const Model model = parse_text(R"(<ir_version: 7, opset_import: ["" : 11, "test" : 3]>
      g (int64[N] a) => (int64[N] b) { c = Neg(a)  b = Neg(c) })")
                          .value();
  const Model bare = bare_model(model.proto);
  EXPECT_EQ(bare.proto.ir_version(), 7);
  EXPECT_EQ(opset_version(bare.proto, ""), 11);
  EXPECT_EQ(opset_version(bare.proto, "test"), 3);
  EXPECT_EQ(bare.graph().node_size(), 1);
  EXPECT_TRUE(check(bare));
}

// Models of ai.onnx.ml alone needn't import ONNX's own operators, but Identity is one of them.
TEST(BareModel, IsValidForAModelWithoutTheDefaultOperators) {
  const Model model = parse_text(R"(<ir_version: 8, opset_import: ["ai.onnx.ml" : 1]>
      g (float[N] a) => (float[N] b) { b = ai.onnx.ml.Binarizer(a) })")
                          .value();
  EXPECT_TRUE(check(bare_model(model.proto)));
}

}  // namespace
}  // namespace assay::model
