#include "model/inference/inference_limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/check.h"
#include "model/inference/type_faults.h"
#include "model/load.h"
#include "model/shapes.h"

namespace assay::model {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

Model parse(int opset, const std::string& body) {
  return parse_text("<ir_version: 8, opset_import: [\"\" : " + std::to_string(opset) + "]>\n" + body).value();
}

// Without the limit, each of these takes more than 16 GB.
const Model& split_into_many() {
  static const Model model =
      parse(18, "g (float[2000000000] x) => (float[N] y) { y = Split<num_outputs: int = 2000000000>(x) }");
  return model;
}

TEST(InferenceLimits, ASplitIntoManyOutputsIsNotInferred) {
  EXPECT_THAT(why_inference_is_unbounded(split_into_many().proto), HasSubstr("Split"));
  Model model = split_into_many();
  const base::Status inferred = infer_shapes(model);
  ASSERT_FALSE(inferred);
  EXPECT_THAT(inferred.error().message(), HasSubstr("num_outputs"));
  EXPECT_FALSE(inferred_values(model));
  EXPECT_THAT(check(model, true).error().message(), HasSubstr("num_outputs"));
  EXPECT_THAT(find_type_faults(model).faults, IsEmpty());
}

TEST(InferenceLimits, BodiesAndFunctionsAreSearched) {
  Model model = parse(18, R"(
      g (bool c, float[N] x) => (float[N] y) {
        y = If (c) <then_branch = t () => (float[N] a) { a = Split<num_outputs: int = 2000000000>(x) },
                    else_branch = e () => (float[N] b) { b = Identity(x) }>
      })");
  EXPECT_THAT(why_inference_is_unbounded(model.proto), HasSubstr("Split"));
  const onnx::NodeProto split = split_into_many().graph().node(0);
  model = parse(18, "g (float[N] x) => (float[N] y) { y = Identity(x) }");
  EXPECT_THAT(why_inference_is_unbounded(model.proto), IsEmpty());
  *model.proto.add_functions()->add_node() = split;
  EXPECT_THAT(why_inference_is_unbounded(model.proto), HasSubstr("Split"));
}

TEST(InferenceLimits, AnOldExpandDoesNotTakeALongVector) {
  const std::string text = "g (float[1] x, int64[2000000000] s) => (float y) { y = Expand(x, s) }";
  Model model = parse(8, text);
  EXPECT_THAT(infer_shapes(model).error().message(), HasSubstr("Expand"));
  model = parse(13, text);
  EXPECT_TRUE(infer_shapes(model));
  model = parse(8, "g (float[1] x, int64[3] s) => (float y) { y = Expand(x, s) }");
  EXPECT_TRUE(infer_shapes(model));
}

}  // namespace
}  // namespace assay::model
