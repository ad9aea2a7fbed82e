#include "backend/tensorrt/sdk/ask_parser.h"

#include <gmock/gmock.h>

#include "backend/tensorrt/sdk/headers.h"
#include "backend/tensorrt/sdk/worker_test_support.h"
#include "base/files.h"
#include "tensorrt/capability.h"

namespace assay::backend {
namespace {

using test::from_text;
using testing::ElementsAre;
using testing::HasSubstr;
using worker::Phase;

class AskParser : public TensorRt {};

#if ASSAY_TENSORRT_SINCE_10(1)
TEST_F(AskParser, GivesTheWordsInTheConditionOfAnAssertion) {
  EXPECT_THAT(load_error(from_text(R"(<ir_version: 8, opset_import: ["" : 17, "mine" : 1]>
                g (float[2] x) => (float[2] y) { a = Relu(x) y = mine.Foo(a) })"),
                         Phase::load),
              HasSubstr("Foo: Plugin not found, are the plugin name, version, and namespace correct? (node 1). If a "
                        "plug-in computes this operator"));
}

// TensorRT's parser names a node without a name by its number alone, and doesn't say why it doesn't support Det.
TEST_F(AskParser, TellsNodesWithoutNamesByTheirNumbers) {
  const auto model = from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2, 2] x) => (float y, float z) { a = Relu(x) y = Det(a) [named] z = Det(x) })");
  EXPECT_THAT(load_error(model, Phase::load),
              HasSubstr("Det: TensorRT doesn't support this operator (node 1); "
                        "Det: TensorRT doesn't support this operator (node 2, 'named')"));
  with_option("save_capability", path("answer.json"));
  ASSERT_TRUE(load(model));
  const auto answer = tensorrt::parse_capability(base::read_file(path("answer.json")).value()).value();
  ASSERT_EQ(answer.errors.size(), 2);
  EXPECT_EQ(answer.errors[0].node, "#1");
  EXPECT_EQ(answer.errors[0].reason, "TensorRT doesn't support this operator");
  EXPECT_EQ(answer.errors[1].node, "named");
}
#endif

#if ASSAY_TENSORRT_SINCE_10(15)
// The stand-in's DLA can run all layers but activations, in float16.
TEST_F(AskParser, TellsWhichNodesTheDlaRuns) {
  with("--onnx-flags", {"report_capability_dla"});
  EXPECT_THAT(load_error(from_text(kModel), Phase::load), HasSubstr("report_capability_dla needs --use-dla"));
  with_option("save_capability", path("answer.json"));
  EXPECT_THAT(load_error(from_text(kModel), Phase::build), HasSubstr("this machine has no DLA"));
  misbehave("dla");
  SetUp();  // a new pool, whose workers see the variable
  ASSERT_TRUE(load(from_text(kModel)));
  const auto answer = tensorrt::parse_capability(base::read_file(path("answer.json")).value()).value();
  EXPECT_FALSE(answer.supported);
  ASSERT_EQ(answer.errors.size(), 1);
  EXPECT_EQ(answer.errors[0].op_type, "Relu");
  EXPECT_THAT(answer.errors[0].reason, HasSubstr("DLA"));
  ASSERT_EQ(answer.groups.size(), 1);
  EXPECT_THAT(answer.groups[0].nodes, ElementsAre(0));

  options_ = {};
  with("--use-dla");
  if (ASSAY_TENSORRT_UNTIL_10) with("--fp16");
  EXPECT_THAT(load_error(from_text(kModel), Phase::load), HasSubstr("DLA validation failed"));
  const auto sum =
      from_text(R"(<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => (float[2] y) { y = Add(x, x) })");
  EXPECT_TRUE(load(sum)) << "the DLA runs this model";
  options_ = {{"save_network", path("network.json")}};
  EXPECT_TRUE(load(sum)) << "no engine is built";
}

TEST_F(AskParser, HasTheConfigurationOfTheEngine) {
  misbehave("show_config");
  const auto session = load(from_text(kModel));
  ASSERT_TRUE(session) << worker::describe(session.error());
  EXPECT_THAT(texts((*session)->info().messages, base::Level::warning),
              testing::Contains(HasSubstr("parser: has a builder configuration")));
}
#endif

}  // namespace
}  // namespace assay::backend
