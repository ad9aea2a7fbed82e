#include "run/marked_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include "model/load.h"

namespace assay::run {
namespace {

using testing::HasSubstr;

model::Model chain() {
  return model::parse_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] z) { a = Neg(x) b = Abs(a) z = Exp(b) })")
      .value();
}

TEST(MarkedSource, HasTheseOutputsInThisOrderAndAllNodes) {
  const model::Model model = chain();
  const worker::ModelSource source = marked_source(model, {"z", "a"}).value();
  onnx::ModelProto marked;
  ASSERT_TRUE(marked.ParseFromString(std::string(std::get<worker::ModelBytes>(source).bytes.view())));
  ASSERT_EQ(marked.graph().output_size(), 2);
  EXPECT_EQ(marked.graph().output(0).name(), "z");
  EXPECT_TRUE(marked.graph().output(0).has_type()) << "what the model declares stays";
  EXPECT_EQ(marked.graph().output(1).name(), "a");
  EXPECT_EQ(marked.graph().node_size(), 3);
  EXPECT_EQ(model.graph().output_size(), 1) << "the model stays as it was";
}

TEST(MarkedSource, MayHaveNoMoreNodesThanNeeded) {
  const worker::ModelSource source = needed_source(chain(), {"b"}).value();
  onnx::ModelProto marked;
  ASSERT_TRUE(marked.ParseFromString(std::string(std::get<worker::ModelBytes>(source).bytes.view())));
  EXPECT_EQ(marked.graph().node_size(), 2);
}

TEST(MarkedSource, RejectsUnknownTensors) {
  EXPECT_THAT(marked_source(chain(), {"a", "nope"}).error().message(), HasSubstr("no such tensor: nope"));
}

}  // namespace
}  // namespace assay::run
