// Models with custom operators, whose library ONNX Runtime loads.
#include <gmock/gmock.h>

#include <filesystem>
#include <string>
#include <utility>

#include "data/run_results.h"
#include "model/load.h"
#include "tests/e2e/workspace.h"
#include "tests/support/fetched.h"
#include "tests/support/paths.h"

namespace assay::e2e {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr auto kTwice = R"(<ir_version: 8, opset_import: ["" : 17, "test.assay" : 1]>
  g (float[2] x) => (float[2] y) <float[2] one = {1, 1}> {
    two = test.assay.Twice(one)  a = Mul(x, two)  t = test.assay.Twice(a)  e = Exp(t)  y = Abs(e) })";

class CustomOpsTest : public EngineWorkspace {
 protected:
  void SetUp() override {
    EngineWorkspace::SetUp();
    if (IsSkipped()) return;
    std::filesystem::copy_file(test::fake("libassay_custom_ops.so"), path("ops.so"));
    write_model("m.onnx", kTwice);
    write_inputs("in.json", {named({{"x", floats({2}, {1, 2})}})});
  }
};

TEST_F(CustomOpsTest, AreLoadedByOption) {
  EXPECT_THAT(assay({"run", "m.onnx", "--onnxrt"}).output,
              AllOf(HasSubstr("test.assay:Twice"), HasSubstr("If it's a custom operator")));
  for (const Words& engine : {Words{"--onnxrt", "--custom-ops", "ops.so"}, Words{"--onnxrt=mine:custom-ops=ops.so"}}) {
    Words words = {"run", "m.onnx", "--load-inputs", "in.json", "--save-outputs", "o.json"};
    words.insert(words.end(), engine.begin(), engine.end());
    const Finished run = assay(words);
    ASSERT_EQ(run.status, 0) << run.output;
    const data::RunResults results = data::load_run_results(path("o.json")).value();
    EXPECT_NEAR(results.runners.at(0).iterations.at(0).outputs.find("y")->load<float>(0), 54.598, 1e-3);  // exp(4)
  }
  write("not_a_library.so", "text");
  for (const auto& [library, reason] : {std::pair{"nowhere.so", "nowhere.so: cannot open shared object file"},
                                        std::pair{"not_a_library.so", "not_a_library.so: file too short"}}) {
    const Finished refused = assay({"run", "m.onnx", "--onnxrt", "--custom-ops", library});
    EXPECT_EQ(refused.status, 1) << library;
    EXPECT_THAT(refused.output, HasSubstr(reason));
  }
}

TEST_F(CustomOpsTest, AreThereForToolsThatUseTheEngine) {
  EXPECT_THAT(assay({"check", "lint", "m.onnx"}).output, HasSubstr("2 of 5 nodes rejected"));
  EXPECT_THAT(assay({"check", "lint", "m.onnx", "--custom-ops", "ops.so"}).output, HasSubstr("0 of 5 nodes rejected"));
  const Finished fold =
      assay({"surgeon", "sanitize", "m.onnx", "--fold-constants", "--custom-ops", "ops.so", "-o", "folded.onnx"});
  EXPECT_EQ(fold.status, 0) << fold.output;
  EXPECT_EQ(model::load(path("folded.onnx")).value().graph().node_size(), 4) << fold.output;
}

// Only exp(120) is infinite in float32, and only the custom operator can compute the 120.
TEST_F(CustomOpsTest, AModelIsReducedBehindThem) {
  const Finished reduced =
      assay({"debug", "reduce", "m.onnx", "-o", "r.onnx", "--val-range", "[30,30]", "--check", "assay", "run",
             "polygraphy_debug.onnx", "--onnxrt", "--custom-ops", "ops.so", "--val-range", "[30,30]", "--validate"});
  ASSERT_EQ(reduced.status, 0) << reduced.output;
  const model::Model model = model::load(path("r.onnx")).value();
  ASSERT_EQ(model.graph().node_size(), 1) << reduced.output;
  EXPECT_EQ(model.graph().node(0).op_type(), "Exp");
}

TEST_F(CustomOpsTest, TheirLibraryIsInTheFolderForABugReport) {
  write_model("one.onnx", R"(<ir_version: 8, opset_import: ["" : 17, "test.assay" : 1]>
      g (float[2] x) => (float[2] y) { y = test.assay.Twice(x) })");
  const Finished reduced = assay({"debug", "reduce", "one.onnx", "-o", "r.onnx", "--repro", "bug", "--check", "assay",
                                  "run", "polygraphy_debug.onnx", "--onnxrt", "--custom-ops", "ops.so", "--val-range",
                                  "[3e38,3e38]", "--validate"});
  ASSERT_EQ(reduced.status, 0) << reduced.output;
  EXPECT_THAT(read("bug/README.md"), AllOf(HasSubstr("--custom-ops ops.so"), HasSubstr("- `ops.so`: libraries")));
  std::filesystem::remove(path("ops.so"));
  const std::string python = test::fetched_python();
  if (python.empty()) GTEST_SKIP() << test::kNoPython;
  const Finished program = run({python, "bug/reproduce.py"});
  EXPECT_EQ(program.status, 1) << program.output;
  EXPECT_THAT(program.output, HasSubstr("inf"));
}

// A name without a folder is searched in LD_LIBRARY_PATH, unless the working folder has such a file.
TEST_F(CustomOpsTest, ALibraryThatTheDynamicLoaderFindsStaysThere) {
  std::filesystem::create_directory(path("lib"));
  std::filesystem::rename(path("ops.so"), path("lib/found_ops.so"));
  environment_["LD_LIBRARY_PATH"] = path("lib").string();
  write_model("one.onnx", R"(<ir_version: 8, opset_import: ["" : 17, "test.assay" : 1]>
      g (float[2] x) => (float[2] y) { y = test.assay.Twice(x) })");
  const Finished script = assay({"run", "one.onnx", "--onnxrt", "--custom-ops", "found_ops.so", "--gen-script", "-"});
  EXPECT_THAT(script.output, HasSubstr("CUSTOM_OPS = [\"found_ops.so\"]"));
  const Finished reduced = assay({"debug", "reduce", "one.onnx", "-o", "r.onnx", "--repro", "bug", "--check", "assay",
                                  "run", "polygraphy_debug.onnx", "--onnxrt", "--custom-ops", "found_ops.so",
                                  "--val-range", "[3e38,3e38]", "--validate"});
  ASSERT_EQ(reduced.status, 0) << reduced.output;
  EXPECT_THAT(read("bug/README.md"), HasSubstr("- `found_ops.so`: libraries of custom operators, not copied"));
  EXPECT_FALSE(std::filesystem::exists(path("bug/found_ops.so")));
  const std::string python = test::fetched_python();
  if (python.empty()) GTEST_SKIP() << test::kNoPython;
  const Finished program = run({python, "bug/reproduce.py"});
  EXPECT_EQ(program.status, 1) << program.output;
  EXPECT_THAT(program.output, HasSubstr("inf"));
}

}  // namespace
}  // namespace assay::e2e
