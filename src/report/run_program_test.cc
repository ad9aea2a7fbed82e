// Runs the program with the engines' Python packages; ASSAY_TEST_PYTHON has ONNX Runtime.
#include "report/run_program.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "base/files.h"
#include "base/temp_dir.h"
#include "data/inputs_file.h"
#include "model/load.h"
#include "model/save.h"
#include "tensor/generate.h"
#include "worker/process.h"

namespace assay::report {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class RunProgramTest : public testing::Test {
 protected:
  // Returns the exit status and the output.
  std::pair<int, std::string> run(RunProgram program, const char* variable) {
    const char* python = std::getenv(variable);
    if (python == nullptr || *python == '\0') return {0, "skipped"};
    program.path = (folder_.path() / "model.onnx").string();
    EXPECT_TRUE(model::save(program.model, program.path));
    const auto text = run_program(program);
    EXPECT_TRUE(text) << text.error().message();
    EXPECT_TRUE(base::write_file(folder_.path() / "program.py", *text));
    const base::Stop stop;
    const auto outcome =
        worker::run({.argv = {python, "program.py"}, .environment = {}, .folder = folder_.path()}, {}, stop);
    EXPECT_TRUE(outcome && *outcome) << "Python could not be run";
    return {(*outcome)->code, (*outcome)->output};
  }

  model::Model model_ = model::parse_text(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[2] x, int64[2] n) => (float[2] y, int64[2] m) { y = Log(x) m = Neg(n) })")
                            .value();
  base::TempDir folder_ = base::TempDir::create().value();
};

TEST_F(RunProgramTest, ComparesTwoRunsOfGeneratedInputs) {
  const auto [status, output] =
      run({.model = model_,
           .path = {},
           .engines = {{.kind = "onnxruntime", .options = {{"intra_op_threads", "1"}}}, {.kind = "onnxruntime"}},
           .iterations = 2,
           .ranges = {{"", {1, 5}}}},
          "ASSAY_TEST_PYTHON");
  if (output == "skipped") GTEST_SKIP() << "no Python with ONNX Runtime";
  EXPECT_EQ(status, 0) << output;
  EXPECT_THAT(output,
              AllOf(HasSubstr("Iteration 1"), HasSubstr("Comparing onnxrt-0 and onnxrt-1"), HasSubstr("PASSED")));
}

TEST_F(RunProgramTest, GeneratesTheInputsOfAssay) {
  model_ = model::parse_text(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[2] x, int64[2] n) => (float[2] y, int64[2] m) { y = Identity(x) m = Identity(n) })")
               .value();
  const auto [status, output] = run({.model = model_,
                                     .path = {},
                                     .engines = {{.kind = "onnxruntime"}},
                                     .seed = 7,
                                     .ranges = {{"", {0, 1}}, {"n", {-100, 100}}}},
                                    "ASSAY_TEST_PYTHON");
  if (output == "skipped") GTEST_SKIP() << "no Python with ONNX Runtime";
  base::SilentLog log;
  const std::vector<tensor::TensorSpec> ports = {{"x", tensor::ElementType::float32, {2}},
                                                 {"n", tensor::ElementType::int64, {2}}};
  const auto inputs =
      tensor::generate_inputs(ports, {.seed = 7, .range = {}, .ranges = {{"n", {-100, 100}}}, .shapes = {}}, 0, log);
  ASSERT_TRUE(inputs);
  const auto range = [](double first, double second) {
    return fmt::format("min={:.6g}, max={:.6g}", std::min(first, second), std::max(first, second));
  };
  const tensor::Tensor& x = *inputs->find("x");
  const tensor::Tensor& n = *inputs->find("n");
  EXPECT_THAT(output, HasSubstr(range(x.load<float>(0), x.load<float>(1))));
  EXPECT_THAT(output, HasSubstr(range(static_cast<double>(n.load<std::int64_t>(0)),
                                      static_cast<double>(n.load<std::int64_t>(1)))));
}

TEST_F(RunProgramTest, KeepsAllDigitsOfRanges) {
  const auto text = run_program({.model = model_,
                                 .path = "model.onnx",
                                 .engines = {{.kind = "onnxruntime"}},
                                 .ranges = {{"", {0.1, 1}}, {"n", {9007199254740993.0L, 18446744073709551615.0L}}}});
  ASSERT_TRUE(text) << text.error().message();
  EXPECT_THAT(*text,
              AllOf(HasSubstr(R"("": (0.1, 1),)"), HasSubstr(R"("n": (9007199254740993, 18446744073709551615),)")));
}

TEST_F(RunProgramTest, InfiniteEndsGiveInfinitiesInsteadOfNaN) {
  model_ =
      model::parse_text(R"(<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => (float[2] y) { y = Exp(x) })")
          .value();
  const double infinity = std::numeric_limits<double>::infinity();
  const auto [status, output] = run({.model = model_,
                                     .path = {},
                                     .engines = {{.kind = "onnxruntime"}},
                                     .ranges = {{"", {-infinity, 0}}},
                                     .validate = true},
                                    "ASSAY_TEST_PYTHON");
  if (output == "skipped") GTEST_SKIP() << "no Python with ONNX Runtime";
  EXPECT_EQ(status, 0) << output;
}

TEST_F(RunProgramTest, FailsOnNaN) {
  const auto [status, output] = run(
      {.model = model_, .path = {}, .engines = {{.kind = "onnxruntime"}}, .ranges = {{"", {-5, -1}}}, .validate = true},
      "ASSAY_TEST_PYTHON");
  if (output == "skipped") GTEST_SKIP() << "no Python with ONNX Runtime";
  EXPECT_EQ(status, 1) << output;
  EXPECT_THAT(output, HasSubstr("onnxrt-0: 'y': contains NaN or infinity"));
}

TEST_F(RunProgramTest, TolerancesMayBeInfinite) {
  const double infinity = std::numeric_limits<double>::infinity();
  const auto [status, output] = run({.model = model_,
                                     .path = {},
                                     .engines = {{.kind = "onnxruntime"}, {.kind = "onnxruntime"}},
                                     .absolute = {{"", infinity}},
                                     .relative = {{"", infinity}}},
                                    "ASSAY_TEST_PYTHON");
  if (output == "skipped") GTEST_SKIP() << "no Python with ONNX Runtime";
  EXPECT_EQ(status, 0) << output;
}

TEST_F(RunProgramTest, RunsOpenVino) {
  const auto [status, output] =
      run({.model = model_, .path = {}, .engines = {{.kind = "openvino"}}}, "ASSAY_CASES_PYTHON");
  if (output == "skipped") GTEST_SKIP() << "no Python with OpenVINO";
  EXPECT_EQ(status, 0) << output;
}

TEST_F(RunProgramTest, SaysIfAFileIsMissing) {
  const auto [status, output] =
      run({.model = model_, .path = {}, .engines = {{.kind = "onnxruntime"}}, .load_inputs = {"/no/such/inputs.json"}},
          "ASSAY_TEST_PYTHON");
  if (output == "skipped") GTEST_SKIP() << "no Python with ONNX Runtime";
  EXPECT_EQ(status, 2) << output;
  EXPECT_THAT(output, HasSubstr("CANNOT RUN: cannot read /no/such/inputs.json"));
}

TEST_F(RunProgramTest, LoadsStrings) {
  model_ = model::parse_text(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (string[2] s) => (string[2] y) { y = Identity(s) })")
               .value();
  RunProgram program{.model = model_, .path = "model.onnx", .engines = {{.kind = "onnxruntime"}}};
  EXPECT_THAT(run_program(program).error().message(),
              AllOf(HasSubstr("can't generate the input 's' of type string"), HasSubstr("--load-inputs")));
  program.load_inputs = {(folder_.path() / "inputs.json").string()};
  tensor::NamedTensors inputs;
  inputs.set("s", tensor::Tensor::make_strings({2}, {"one", "\u00e9"}).value());
  ASSERT_TRUE(data::save_inputs(program.load_inputs[0], {inputs}));
  const auto [status, output] = run(program, "ASSAY_TEST_PYTHON");
  if (output == "skipped") GTEST_SKIP() << "no Python with ONNX Runtime";
  EXPECT_EQ(status, 0) << output;
  EXPECT_THAT(output, HasSubstr("onnxrt-0: 'y': object, shape=(2,)"));
}

TEST_F(RunProgramTest, RefusesWhatItCannotRun) {
  EXPECT_THAT(run_program({.model = model_, .path = "m.onnx", .engines = {{.kind = "python"}}}).error().message(),
              HasSubstr("there is no program for Python module"));
  EXPECT_THAT(run_program({.model = model_, .path = "m.onnx", .load_inputs = {"i.npz"}}).error().message(),
              HasSubstr("only reads inputs in JSON (in i.npz)"));
  model_ = model::parse_text(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (bfloat16[1] b) => (bfloat16[1] y) { y = Identity(b) })")
               .value();
  EXPECT_THAT(run_program({.model = model_, .path = "m.onnx"}).error().message(),
              HasSubstr("the input 'b' of type bfloat16"));
}

class RunProgramShapesTest : public RunProgramTest {
 protected:
  RunProgramShapesTest() {
    model_ = model::parse_text(R"(<ir_version: 8, opset_import: ["" : 17]>
        g (float[batch, 2] x, int64[1] n) => (float[a, b] y, int64[1] m) { y = Neg(x) m = Neg(n) })")
                 .value();
  }
  base::Expected<std::string> program(std::map<std::string, std::vector<model::Dimension>> shapes,
                                      std::vector<std::string> load_inputs = {}) const {
    return run_program({.model = model_,
                        .path = "m.onnx",
                        .engines = {{.kind = "onnxruntime"}},
                        .shapes = std::move(shapes),
                        .load_inputs = std::move(load_inputs)});
  }
};

TEST_F(RunProgramShapesTest, OpenSizesAreTheUsersOrElseOne) {
  EXPECT_THAT(program({}).value_or(""), HasSubstr(R"(("x", 1, (1, 2)))"));
  EXPECT_THAT(program({{"x", {{3, ""}, {2, ""}}}}).value_or(""), HasSubstr(R"(("x", 1, (3, 2)))"));
}

TEST_F(RunProgramShapesTest, ShapesThatTheModelDoesNotAllowAreNotUsed) {
  EXPECT_THAT(program({{"x", {{3, ""}, {5, ""}}}}).value_or(""), HasSubstr(R"(("x", 1, (1, 2)))"));
  EXPECT_THAT(program({{"x", {{3, ""}}}}).value_or(""), HasSubstr(R"(("x", 1, (1, 2)))")) << "another rank";
  EXPECT_THAT(program({{"x", {{-1, "batch"}, {2, ""}}}}).value_or(""), HasSubstr(R"(("x", 1, (1, 2)))"));
}

TEST_F(RunProgramShapesTest, AShapeThatIsTheValueOfAnInputIsRefused) {
  EXPECT_THAT(program({{"n", {{5, ""}}}}).error().message(),
              AllOf(HasSubstr("can't set the value of an input that holds a shape (in --input-shapes n)"),
                    HasSubstr("--load-inputs")));
  EXPECT_THAT(program({{"n", {{5, ""}}}}, {"i.json"}).value_or(""), HasSubstr(R"(("n", 7, (1,)))"));
}

}  // namespace
}  // namespace assay::report
