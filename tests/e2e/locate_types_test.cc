// assay debug locate with an engine that lacks a type, as MNN lacks int64.
#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <string>

#include "tests/e2e/workspace.h"
#include "tests/support/fetched.h"
#include "tests/support/paths.h"

namespace assay::e2e {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// A model with inner int64 tensors: `i`, and what is computed from it.
constexpr auto kModel = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[4, 6] x) => (float[4] y) <int64 two = {2}> {
    e = Exp(x)  i = ArgMax <axis = 1, keepdims = 0> (e)  j = Mul(i, two)  c = Cast <to = 1> (j)  y = Sin(c) })";

class LocateTypesTest : public EngineWorkspace {
 protected:
  void SetUp() override {
    EngineWorkspace::SetUp();
    if (IsSkipped()) return;
    python_ = test::fetched_python();
    if (python_.empty()) GTEST_SKIP() << test::kNoPython;
    write_model("m.onnx", kModel);
  }
  // `returned`: the expression that the engine returns for `value`, an int64 array.
  void write_engine(const std::string& tensor, const std::string& returned) const {
    write("engine.py", "ORDER = {'tensor': '" + tensor + "'}\n" + engine_ + R"(
inner = infer
def narrow(value):
    return ()" + returned + R"() if value.dtype == numpy.int64 else value
def infer(model, feeds, wanted):
    return {name: narrow(value) for name, value in inner(model, feeds, wanted).items()}
)");
  }
  [[nodiscard]] Finished locate(const Words& more) const {
    Words words = {"debug", "locate", "m.onnx", "--python", "engine.py", "--onnxrt", "--python-interpreter", python_};
    words.insert(words.end(), more.begin(), more.end());
    return assay(words);
  }

  std::string python_;
  std::string engine_ = [] {
    std::ifstream file(test::source_dir() / "tests" / "e2e" / "wrong_engine.py");
    return std::string(std::istreambuf_iterator<char>(file), {});
  }();
};

// The node of `c` runs by itself, with the converted int64 tensor as input.
TEST_F(LocateTypesTest, Int32InThePlaceOfInt64IsConvertedWithOneWarning) {
  write_engine("c", "value.astype(numpy.int32)");
  const Finished done = locate({"-o", "piece.onnx"});
  EXPECT_EQ(done.status, 1) << done.output;
  EXPECT_THAT(done.output, AllOf(HasSubstr("FIRST DIFFERENCE: tensor 'c'"), HasSubstr("Way: all tensors in one run"),
                                 HasSubstr("it differs, too")));
  const std::string warning = "which the model declares as int64";
  const std::size_t at = done.output.find(warning);
  ASSERT_NE(at, std::string::npos) << done.output;
  EXPECT_EQ(done.output.find(warning, at + 1), std::string::npos) << done.output;
  EXPECT_THAT(done.output, Not(HasSubstr("engine fails")));
}

TEST_F(LocateTypesTest, WhatCannotStandForTheTypeIsRefusedByName) {
  write_engine("c", "value.astype(numpy.float32)");
  const Finished done = locate({});
  EXPECT_THAT(done.output, AllOf(HasSubstr("'i'"), HasSubstr("expected int64, given float32"))) << done.output;
}

// The check of the suggested reduction is `assay run`.
TEST_F(LocateTypesTest, RunConvertsToo) {
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[4, 6] x) => (int64[4] i) { i = ArgMax <axis = 1, keepdims = 0> (x) })");
  write_engine("", "value.astype(numpy.int32)");
  const Finished done = assay({"run", "m.onnx", "--python", "engine.py", "--onnxrt", "--python-interpreter", python_});
  EXPECT_EQ(done.status, 0) << done.output;
  EXPECT_THAT(done.output, HasSubstr("returns int32 for 'i', which the model declares as int64"));
  write_engine("", "value.astype(numpy.int32) * 0 + 2**31 - 1");
  EXPECT_EQ(assay({"run", "m.onnx", "--python", "engine.py", "--onnxrt", "--python-interpreter", python_}).status, 1);
}

}  // namespace
}  // namespace assay::e2e
