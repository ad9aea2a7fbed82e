#include "edit/assume_type.h"

#include <gtest/gtest.h>

#include "edit/model_texts.h"

namespace assay::edit {
namespace {

TEST(AssumeTypeTest, AsksTheReadersThatOnnxKnows) {
  const model::Model model = test::parse(R"(
      agraph (float[N] x) => (float[N] y, bool[N] z, float[N] w) {
        a, b, c = custom.Split (x)
        y = Add (x, a)
        z = Not (b)
        w = custom.Mix (c)
      })",
                                         R"(ir_version: 8, opset_import: ["" : 17, "custom" : 1])");
  const Subject subject(model);
  EXPECT_EQ(assumed_type(subject, subject.view().find("a")), onnx::TensorProto::FLOAT);
  EXPECT_EQ(assumed_type(subject, subject.view().find("b")), onnx::TensorProto::BOOL);
  EXPECT_EQ(assumed_type(subject, subject.view().find("c")), onnx::TensorProto::FLOAT);
}

}  // namespace
}  // namespace assay::edit
