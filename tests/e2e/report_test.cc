// --report of every command, with the real program: the page says what the command found, and names from models stay
// text.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "model/load.h"
#include "model/save.h"
#include "tests/e2e/workspace.h"

namespace assay::e2e {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

constexpr auto kModel = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[4] x) => (float[4] y) <float[4] w = {1, 2, 3, 4}> {
    [first] a = Neg(x) [second] b = Exp(a) [third] y = Mul(b, w)
  })";
// The weights differ, so everything from the third node on does.
constexpr auto kOther = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[4] x) => (float[4] y) <float[4] w = {1, 2, 3, 5}> {
    [first] a = Neg(x) [second] b = Exp(a) [third] y = Mul(b, w)
  })";

class ReportTest : public Workspace {
 protected:
  void SetUp() override {
    write_model("m.onnx", kModel);
    write_model("other.onnx", kOther);
  }
  // Runs a command with --report r.html and returns the page.
  [[nodiscard]] std::string page(Words words, int status) const {
    const auto check = std::ranges::find(words, "--check");
    words.insert(check, {"--report", "r.html"});
    const Finished finished = assay(words);
    EXPECT_EQ(finished.status, status) << finished.output;
    EXPECT_THAT(finished.output, HasSubstr("Wrote the report to r.html"));
    return read("r.html");
  }
};
class ReportOfEngines : public ReportTest {
 protected:
  void SetUp() override {
    use_onnxruntime();
    if (!IsSkipped()) ReportTest::SetUp();
  }
};

TEST_F(ReportTest, OfAModelSaysWhatItHas) {
  EXPECT_THAT(page({"inspect", "model", "m.onnx"}, 0),
              AllOf(HasSubstr("inspect model: m.onnx"), HasSubstr("The model has 3 nodes and 1 weight of 16 B.")));
}

TEST_F(ReportTest, HasPolygraphysName) {
  const Finished finished = assay({"inspect", "model", "m.onnx", "--save-visual", "r.html"});
  EXPECT_EQ(finished.status, 0) << finished.output;
  EXPECT_THAT(read("r.html"), HasSubstr("The model has 3 nodes"));
}

TEST_F(ReportTest, IsWrittenInsteadOfServed) {
  const Finished finished = assay({"inspect", "model", "m.onnx", "--visual", "--save-visual", "r.html"});
  EXPECT_EQ(finished.status, 0) << finished.output;
  EXPECT_THAT(finished.output, AllOf(HasSubstr("r.html"), Not(HasSubstr("Nodes (")), Not(HasSubstr("Ctrl-C"))));
  EXPECT_THAT(read("r.html"), HasSubstr("The model has 3 nodes"));
}

TEST_F(ReportTest, OfADifferenceSaysWhatChanged) {
  EXPECT_THAT(page({"diff", "m.onnx", "other.onnx"}, 1),
              AllOf(HasSubstr("diff: m.onnx and other.onnx"), HasSubstr("The models differ: 1 weight changed.")));
  EXPECT_THAT(page({"diff", "m.onnx", "m.onnx"}, 0), HasSubstr("The models are equal"));
}

TEST_F(ReportTest, OfAReductionHasTheMinimalCase) {
  write("check.sh", "grep -q second \"$1\" && exit 1\nexit 0\n");
  const std::string found =
      page({"debug", "reduce", "m.onnx", "-o", "small.onnx", "--check", "sh", "check.sh", "{model}"}, 0);
  EXPECT_THAT(found, HasSubstr("1 of 3 nodes shows the failure (exit status 1)."));
  EXPECT_THAT(files(), Contains("small.onnx"));
}

TEST_F(ReportTest, LeavesNamesOfTheModelAsText) {
  model::Model model = model::load(path("m.onnx")).value();
  const std::string hostile = "</script><script>alert(1)</script><img src=x onerror=alert(2)>";
  for (onnx::NodeProto& node : *model.graph().mutable_node()) node.set_name(hostile + node.name());
  model.graph().set_name(hostile);
  model.graph().mutable_node(0)->set_output(0, hostile);
  model.graph().mutable_node(1)->set_input(0, hostile);
  model.proto.set_producer_name(hostile + "\xff");  // not UTF-8
  const std::string name = "<b>.onnx";
  ASSERT_TRUE(model::save(model, path(name)));
  for (const Words& command : {Words{"inspect", "model", name}, Words{"diff", name, "m.onnx"}}) {
    EXPECT_THAT(page(command, command[0] == "diff" ? 1 : 0),
                AllOf(Not(HasSubstr("<script>alert")), Not(HasSubstr("<img")), Not(HasSubstr("<b>"))));
  }
}

TEST_F(ReportTest, OpensTheBrowserInAGraphicalSession) {
  write("bin/xdg-open", "#!/bin/sh\necho \"$1\" > opened\n");
  ASSERT_EQ(mkfifo(path("opened").c_str(), 0600), 0);
  std::filesystem::permissions(path("bin/xdg-open"), std::filesystem::perms::owner_all);
  environment_ = {{"PATH", path("bin").string() + ":" + std::getenv("PATH")}, {"DISPLAY", ":0"}};
  const auto running = start({"inspect", "model", "m.onnx", "--visual", "--visual-port", "0"});
  ASSERT_TRUE(running->wait_for("until you press Ctrl-C"));
  std::string address;
  std::ifstream opened(path("opened"));
  std::getline(opened, address);
  EXPECT_THAT(address, HasSubstr("http://127.0.0.1:"));
  running->send(SIGINT);
  EXPECT_EQ(running->finish().status, 130);
}

TEST_F(ReportOfEngines, OfARunSaysWhetherTheTensorsAgree) {
  EXPECT_THAT(page({"run", "m.onnx", "--onnxrt", "--onnxrt", "--onnx-outputs", "mark", "all"}, 0),
              AllOf(HasSubstr("run: m.onnx"), HasSubstr("All 3 tensors of onnxrt N0 and onnxrt N1 agree.")));
}

TEST_F(ReportOfEngines, OfARunInWindowsHasAllTensors) {
  write_model("long.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[4096] x) => (float[4096] d) { a = Neg(x) b = Abs(a) c = Exp(b) d = Neg(c) })");
  EXPECT_THAT(
      page({"run", "long.onnx", "--onnxrt", "--onnxrt", "--onnx-outputs", "mark", "all", "--memory-budget", "70K"}, 0),
      HasSubstr("All 4 tensors of onnxrt N0 and onnxrt N1 agree."));
}

TEST_F(ReportOfEngines, OfSavedResultsNamesTheFirstTensorThatDiffers) {
  ASSERT_EQ(assay({"run", "m.onnx", "--onnxrt", "--onnx-outputs", "mark", "all", "--save-outputs", "a.json"}).status,
            0);
  ASSERT_EQ(
      assay({"run", "other.onnx", "--onnxrt", "--onnx-outputs", "mark", "all", "--save-outputs", "b.json"}).status, 0);
  const std::string found = page({"run", "m.onnx", "--load-outputs", "a.json", "b.json"}, 1);
  EXPECT_THAT(found, HasSubstr("1 of 3 tensors differs between onnxrt N0 and onnxrt N0; the first is"));
  EXPECT_THAT(found, HasSubstr("computed by Mul"));
}

TEST_F(ReportOfEngines, OfALocationNamesTheNode) {
  EXPECT_THAT(
      page({"debug", "locate", "m.onnx", "--onnxrt", "--against", "other.onnx"}, 1),
      AllOf(HasSubstr("The difference between onnxrt N0 on m.onnx and onnxrt N0 on other.onnx is born at tensor"),
            HasSubstr("computed by Mul")));
}

TEST_F(ReportOfEngines, OfSavedMetricsSaysWhetherTheyPass) {
  ASSERT_EQ(
      assay({"run", "m.onnx", "--onnxrt", "--onnxrt", "--compare", "l2", "--save-accuracy-results", "a.json"}).status,
      0);
  EXPECT_THAT(page({"check", "accuracy", "a.json", "--compare", "l2"}, 0), HasSubstr("1 of 1 saved comparison agree."));
}

TEST_F(ReportOfEngines, OfSavedMetricsThatCannotBeJudgedShowsThem) {
  ASSERT_EQ(assay({"run", "m.onnx", "--onnxrt", "--onnxrt", "--save-accuracy-results", "a.json"}).status, 0);
  EXPECT_THAT(page({"check", "accuracy", "a.json"}, 0),
              AllOf(HasSubstr("Nothing was judged"), HasSubstr("max_absdiff"), HasSubstr("elemwise")));
}

}  // namespace
}  // namespace assay::e2e
