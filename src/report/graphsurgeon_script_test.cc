// Runs the script with a Python that has ONNX-GraphSurgeon. ASSAY_TEST_PYTHON names it.
#include "report/graphsurgeon_script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "base/temp_dir.h"
#include "model/load.h"
#include "model/save.h"
#include "tests/support/fetched.h"
#include "worker/process.h"

namespace assay::report {
namespace {

using testing::HasSubstr;

class GraphSurgeonScriptTest : public testing::Test {
 protected:
  void SetUp() override {
    python_ = test::fetched_python();
    if (python_.empty()) GTEST_SKIP() << test::kNoPython;
    script_.model = path("model.onnx");
    script_.result = path("model_updated.onnx");
    ASSERT_TRUE(model::save(model::parse_text(R"(<ir_version: 8, opset_import: ["" : 17]>
        g (float[2] x) => (float[2] z) { y = Relu(x) z = Neg(y) })")
                                .value(),
                            script_.model));
  }
  [[nodiscard]] std::filesystem::path path(const std::string& name) const { return folder_.path() / name; }
  // Runs the script with `edit` as the body of its edit(), and returns the model that it writes.
  model::Model run(const std::string& edit) {
    std::string text = python_text(script_);
    text.replace(text.find("\n\n\ndef save"), 0, "\n    " + edit);
    EXPECT_TRUE(base::write_file(path("script.py"), text));
    const base::Stop stop;
    const auto outcome =
        worker::run({.argv = {python_, path("script.py")}, .environment = {}, .folder = folder_.path()}, {}, stop);
    EXPECT_TRUE(outcome && *outcome && (*outcome)->code == 0)
        << (outcome && *outcome ? (*outcome)->output : "Python could not be run");
    auto model = model::load(script_.result);
    EXPECT_TRUE(model) << model.error().message();
    return *std::move(model);
  }

  base::TempDir folder_ = base::TempDir::create().value();
  std::string python_;
  GraphSurgeonScript script_;
};

TEST_F(GraphSurgeonScriptTest, SavesTheModelAsItIs) {
  const model::Model model = run("pass");
  ASSERT_EQ(model.graph().node_size(), 2);
  EXPECT_EQ(model.graph().node(0).op_type(), "Relu");
}

TEST_F(GraphSurgeonScriptTest, SavesWhatTheUserChanges) {
  EXPECT_EQ(run("graph.nodes[0].op = 'Abs'").graph().node(0).op_type(), "Abs");
}

TEST_F(GraphSurgeonScriptTest, MarksOutputs) {
  script_.outputs = {"y"};
  const model::Model model = run("pass");
  ASSERT_EQ(model.graph().output_size(), 1);
  EXPECT_EQ(model.graph().output(0).name(), "y");
  EXPECT_EQ(model.graph().node_size(), 1);
}

TEST(GraphSurgeonScript, QuotesPaths) {
  GraphSurgeonScript script;
  script.model = "a \"b\".onnx";
  script.result = "c.onnx";
  EXPECT_THAT(python_text(script), HasSubstr("MODEL = \"a \\042b\\042.onnx\"\nRESULT = \"c.onnx\"\n"));
}

}  // namespace
}  // namespace assay::report
