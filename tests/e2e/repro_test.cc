// debug reduce --repro: the folder reproduces the failure with nothing but the engine.
#include <gmock/gmock.h>

#include <cmath>

#include "data/input_source.h"
#include "data/run_results.h"
#include "tests/e2e/workspace.h"
#include "tests/support/fetched.h"
#include "tests/support/paths.h"

namespace assay::e2e {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

// ONNX Runtime has no kernel for the Max of int16.
constexpr auto kNoKernel = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[2] x) => (float[2] y) { a = Neg(x) i = Cast<to = 5>(a) m = Max(i, i) b = Cast<to = 1>(m) y = Abs(b) })";
// OpenVINO lacks Det.
constexpr auto kDet = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[2, 2] x) => (float y) { a = Neg(x) b = Abs(a) d = Det(b) y = Neg(d) })";
constexpr auto kExp = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[3] x) => (float[3] y) { a = Neg(x) e = Exp(a) y = Abs(e) })";

// The requirements of the programs for an engine.
struct Engine {
  const char* name;
  const char* python;  // variable with its interpreter
  fs::path library;
  fs::path include;
  const char* header;
  std::string link;               // the name of the library up to ".so"
  std::vector<const char*> ends;  // endings of the names in a release
};

Engine onnxruntime() {
  return {"onnxruntime",
          "ASSAY_TEST_PYTHON",
          test::fetched_onnxruntime(),
          ASSAY_ONNXRUNTIME_INCLUDE_DIR,
          "onnxruntime_cxx_api.h",
          "libonnxruntime",
          {".so", ".so.1"}};
}

// Its C++ library is next to that of the C API.
Engine openvino() {
  const fs::path c_library = test::fetched_openvino();
  const fs::path folder = c_library.parent_path();
  return {"openvino",
          "ASSAY_CASES_PYTHON",
          folder / ("libopenvino.so" + c_library.extension().string()),
          folder.parent_path() / "include",
          "openvino/openvino.hpp",
          "libopenvino",
          {".so"}};
}

class ReproTest : public EngineWorkspace {
 protected:
  [[nodiscard]] Finished reduce(const Words& options, const Words& check, const std::string& mode = "bisect") const {
    Words words = {"debug", "reduce", "m.onnx", "-o", "r.onnx", "--mode", mode};
    words.insert(words.end(), options.begin(), options.end());
    words.emplace_back("--check");
    words.insert(words.end(), check.begin(), check.end());
    return assay(words);
  }
  // Returns the output of each program after its exit status. Programs that can't run here are logged and skipped.
  [[nodiscard]] std::vector<Finished> programs(const Engine& engine = onnxruntime()) const {
    std::vector<Finished> finished;
    if (const std::string python = test::variable(engine.python); !python.empty()) {
      finished.push_back(run({python, path("rep/reproduce.py").string()}));
    } else {
      std::printf("reproduce.py is not run: no Python with %s (%s)\n", engine.name, engine.python);
    }
    if (!fs::exists(engine.library) || !fs::exists(engine.include / engine.header)) {
      std::printf("reproduce.cc is not run: no library, or no C++ headers, of %s\n", engine.name);
      return finished;
    }
    const fs::path folder = path("lib");  // libraries named as in a release
    fs::create_directory(folder);
    for (const char* end : engine.ends) fs::create_symlink(engine.library, folder / (engine.link + end));
    const Finished built = run({"g++", "-std=c++17", "-isystem", engine.include, "rep/reproduce.cc", "-Llib",
                                "-l" + engine.link.substr(3), "-Wl,-rpath," + folder.string(),
                                "-Wl,-rpath," + engine.library.parent_path().string(), "-o", "reproduce"});
    EXPECT_EQ(built.status, 0) << built.output;
    finished.push_back(run({"./reproduce", "rep"}));
    return finished;
  }
};

TEST_F(ReproTest, AnErrorOfTheEngineIsShownByItsOwnApi) {
  constexpr auto kError = "NOT_IMPLEMENTED : Could not find an implementation for Max(13)";
  for (const std::string mode : {"bisect", "minimal"}) {
    fs::remove_all(path("rep"));
    fs::remove_all(path("lib"));
    write_model("m.onnx", kNoKernel);
    const Finished finished = reduce({"--repro", "rep"}, {"assay", "run", "polygraphy_debug.onnx", "--onnxrt"}, mode);
    ASSERT_EQ(finished.status, 0) << finished.output;
    EXPECT_THAT(finished.output, HasSubstr("bug report")) << mode;
    EXPECT_THAT(read("rep/check.txt"), AllOf(HasSubstr("exit status 1"), HasSubstr(kError))) << mode;
    EXPECT_THAT(read("rep/README.md"), AllOf(HasSubstr("1 of 5 nodes of m.onnx"), Not(HasSubstr("do not run that"))));
    for (const Finished& program : programs()) {
      EXPECT_EQ(program.status, 1) << mode;
      EXPECT_THAT(program.output, AllOf(HasSubstr("FAILED"), HasSubstr("implementation for Max(13)"))) << mode;
    }
  }
}

TEST_F(ReproTest, OutputsThatDifferFromThoseExpectedDoSoInTheProgramsToo) {
  write_model("m.onnx", kExp);
  ASSERT_EQ(assay({"run", "m.onnx", "--onnxrt", "--save-outputs", "o.json", "--seed", "7"}).status, 0);
  // Other inputs, so other outputs.
  const Finished finished = reduce({"--repro", "rep", "--no-reduce-inputs", "--fail-regex", "elements differ"},
                                   {"assay", "run", "polygraphy_debug.onnx", "--onnxrt", "--seed", "8", "--atol",
                                    "y:1e-3", "--load-outputs", "o.json"});
  ASSERT_EQ(finished.status, 0) << finished.output;
  EXPECT_THAT(read("rep/check.txt"), HasSubstr("3 of 3 elements differ"));
  EXPECT_THAT(files(), testing::IsSupersetOf({"rep/seen_outputs.npz", "rep/expected_outputs.json", "rep/inputs.npz"}));
  EXPECT_THAT(read("rep/reproduce.py"), HasSubstr("\"y\": 0.001"));
  for (const Finished& program : programs()) {
    EXPECT_EQ(program.status, 1);
    EXPECT_THAT(program.output, AllOf(HasSubstr(": 3 of 3 elements differ"), HasSubstr("FAILED")));
  }
  // The command in the README gives the same result.
  const Finished again = assay({"run", "rep/model.onnx", "--onnxrt", "--load-inputs", "rep/inputs.json",
                                "--load-outputs", "rep/expected_outputs.json"});
  EXPECT_EQ(again.status, 1);
  EXPECT_THAT(again.output, HasSubstr("3 of 3 elements differ"));
}

// The programs compare element by element, in one iteration.
TEST_F(ReproTest, TheReportSaysIfTheCheckComparesInAnotherWay) {
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]> g (float[3] x) => (float[3] y) { y = Exp(x) })");
  ASSERT_EQ(assay({"run", "m.onnx", "--onnxrt", "--save-inputs", "in.json", "--save-outputs", "o.json"}).status, 0);
  data::RunResults results = data::load_run_results(path("o.json")).value();
  tensor::NamedTensors& outputs = results.runners.at(0).iterations.at(0).outputs;
  const tensor::Tensor y = *outputs.find("y");
  const auto save = [&](const std::string& file, float first, float second) {
    outputs.set("y", floats({3}, {first, second, y.load<float>(2)}));
    ASSERT_TRUE(data::save_run_results(path(file), results));
  };
  save("near.json", std::nextafter(y.load<float>(0), 9.0F), y.load<float>(1));
  save("swapped.json", y.load<float>(1), y.load<float>(0));

  const auto readme = [&](const std::string& golden, const Words& options) {
    fs::remove_all(path("rep"));
    Words check = {"assay", "run", "polygraphy_debug.onnx", "--onnxrt", "--load-outputs", golden};
    check.insert(check.end(), options.begin(), options.end());
    const Finished finished = reduce({"--repro", "rep"}, check);
    EXPECT_EQ(finished.status, 0) << finished.output;
    return read("rep/README.md");
  };
  const auto other = HasSubstr("do not run that command");
  EXPECT_THAT(readme("near.json", {"--atol", "0", "--rtol", "0"}),
              AllOf(Not(other), HasSubstr("--load-outputs expected_outputs.json --atol 0 --rtol 0\n")));
  EXPECT_THAT(readme("swapped.json", {"--load-inputs", "in.json"}), Not(other));
  EXPECT_THAT(readme("near.json", {"--compare", "ulp"}), other);
  for (const Words& options :
       {Words{"--check-error-stat", "max"}, {"--no-shape-check"}, {"--postprocess", "top-3"}, {"--iterations", "2"}}) {
    EXPECT_THAT(readme("swapped.json", options), other) << options.front();
  }
}

TEST_F(ReproTest, WhatOpenVinoCannotRunIsShownByItsOwnApi) {
  if (!fs::exists(openvino().library)) GTEST_SKIP() << "no OpenVINO (ASSAY_FETCHED_OPENVINO_LIB)";
  write_model("m.onnx", kDet);
  const Finished finished =
      reduce({"--repro", "rep", "--fail-regex", "No conversion rule"},
             {"assay", "run", "polygraphy_debug.onnx", "--onnxrt", "--openvino", "--threads", "1"});
  ASSERT_EQ(finished.status, 0) << finished.output;
  EXPECT_THAT(read("rep/README.md"),
              AllOf(HasSubstr("The programs here use OpenVINO: it fails on the model, and ONNX Runtime doesn't."),
                    HasSubstr("--openvino-config INFERENCE_NUM_THREADS=1")));
  EXPECT_THAT(read("rep/versions.txt"), AllOf(HasSubstr("ONNX Runtime: "), HasSubstr("OpenVINO: ")));
  EXPECT_THAT(read("rep/reproduce.py"), HasSubstr("PROPERTIES = {\"INFERENCE_NUM_THREADS\": \"1\"}"));
  for (const Finished& program : programs(openvino())) {
    EXPECT_EQ(program.status, 1);
    EXPECT_THAT(program.output, AllOf(HasSubstr("FAILED"), HasSubstr("No conversion rule found for operations: Det")));
  }
}

TEST_F(ReproTest, OutputsOfOpenVinoThatDifferFromOthersDoSoInItsProgramsToo) {
  if (!fs::exists(openvino().library)) GTEST_SKIP() << "no OpenVINO (ASSAY_FETCHED_OPENVINO_LIB)";
  write_model("m.onnx", kExp);
  ASSERT_EQ(assay({"run", "m.onnx", "--onnxrt", "--save-outputs", "o.json", "--seed", "7"}).status, 0);
  const Finished finished =
      reduce({"--repro", "rep", "--no-reduce-inputs", "--fail-regex", "elements differ"},
             {"assay", "run", "polygraphy_debug.onnx", "--openvino", "--seed", "8", "--load-outputs", "o.json"});
  ASSERT_EQ(finished.status, 0) << finished.output;
  EXPECT_THAT(files(), testing::IsSupersetOf({"rep/seen_outputs.npz", "rep/expected_outputs.json", "rep/inputs.npz"}));
  for (const Finished& program : programs(openvino())) {
    EXPECT_EQ(program.status, 1);
    EXPECT_THAT(program.output, AllOf(HasSubstr(": 3 of 3 elements differ"), HasSubstr("FAILED")));
  }
  // The outputs are still those recorded in the folder.
  const Finished again = assay({"run", "rep/model.onnx", "--openvino", "--load-inputs", "rep/inputs.json",
                                "--load-outputs", "rep/seen_outputs.json"});
  EXPECT_EQ(again.status, 0) << again.output;
}

TEST_F(ReproTest, OutputsOfAnotherEngineMayBeWrongThemselves) {
  const std::string python = test::fetched_python();
  if (python.empty()) GTEST_SKIP() << test::kNoPython;
  write_model("m.onnx", kExp);
  write("wrong.py", R"(
import numpy
def load(path):
    return None
def infer(model, feeds, wanted):
    return {name: numpy.full(3, -1, numpy.float32) for name in wanted}
)");
  const Finished finished = reduce({"--repro", "rep"}, {"assay", "run", "polygraphy_debug.onnx", "--onnxrt", "--python",
                                                        "wrong.py", "--python-interpreter", python});
  ASSERT_EQ(finished.status, 0) << finished.output;
  EXPECT_THAT(read("rep/README.md"), HasSubstr("If these are wrong, that engine is at fault"));
}

TEST_F(ReproTest, AnyOtherCommandIsReportedButNotRun) {
  write_model("m.onnx", kExp);
  write("check.sh", "grep -q Exp \"$1\" && { echo I dislike Exp; exit 3; }; exit 0\n");
  const Finished finished = reduce({"--repro", "rep"}, {"sh", "check.sh", "polygraphy_debug.onnx"});
  ASSERT_EQ(finished.status, 0) << finished.output;
  EXPECT_THAT(read("rep/README.md"), AllOf(HasSubstr("sh check.sh polygraphy_debug.onnx"), HasSubstr("exit status 3"),
                                           HasSubstr("I dislike Exp"), HasSubstr("do not run that command"),
                                           HasSubstr("    cp rep/model.onnx polygraphy_debug.onnx\n"),
                                           testing::Not(HasSubstr("intermittent"))));
  for (const Finished& program : programs()) {
    EXPECT_EQ(program.status, 0);
    EXPECT_THAT(program.output, HasSubstr("The model ran"));
  }
}

TEST_F(ReproTest, TheReportHasTheInputsThatTheReductionGot) {
  write_model("m.onnx", kExp);
  write_inputs("in.json", {named({{"x", floats({3}, {5, 6, 7})}})});
  write("check.sh", "grep -q Exp \"$1\" && exit 3; exit 0\n");
  const Words check = {"sh", "check.sh", "polygraphy_debug.onnx"};
  const Finished whole = reduce({"--repro", "rep", "--load-inputs", "in.json", "--no-reduce-inputs"}, check);
  ASSERT_EQ(whole.status, 0) << whole.output;
  base::SilentLog log;
  const auto source = data::loaded_inputs({path("rep/inputs.json")}, log).value();
  const auto inputs = source->iteration(0, {}).value().value();
  EXPECT_TRUE(tensor::identical(*inputs.find("x"), floats({3}, {5, 6, 7})));
  EXPECT_THAT(read("rep/README.md"), HasSubstr("given to the reduction"));
  fs::remove_all(path("rep"));
  // The reduced model begins inside the model, where no values were given.
  const Finished part = reduce({"--repro", "rep", "--load-inputs", "in.json", "--values", "input"}, check);
  ASSERT_EQ(part.status, 0) << part.output;
  EXPECT_THAT(part.output, HasSubstr("do not fit the reduced model"));
  EXPECT_THAT(read("rep/README.md"), HasSubstr("generated as"));
}

TEST_F(ReproTest, AnIntermittentFailureIsCalledSo) {
  write_model("m.onnx", kExp);
  // Fails in two of three runs.
  write("check.sh",
        "n=$(cat runs 2>/dev/null || echo 0); echo $((n + 1)) >runs\n"
        "grep -q Exp \"$1\" && [ $((n % 3)) -ne 2 ] && { echo I dislike Exp; exit 3; }; exit 0\n");
  const Finished finished = reduce({"--repro", "rep"}, {"sh", "check.sh", "polygraphy_debug.onnx"}, "minimal");
  ASSERT_EQ(finished.status, 0) << finished.output;
  EXPECT_THAT(read("rep/README.md"), HasSubstr("The failure is intermittent: the model failed in"));
}

TEST_F(ReproTest, AFolderThatIsNotEmptyIsRefusedBeforeTheWork) {
  write_model("m.onnx", kExp);
  fs::create_directory(path("rep"));
  write("rep/mine.txt", "x");
  write("check.sh", "touch checked; exit 1\n");
  const Finished finished = reduce({"--repro", "rep"}, {"sh", "check.sh", "polygraphy_debug.onnx"});
  EXPECT_EQ(finished.status, 1);
  EXPECT_THAT(finished.output, HasSubstr("nothing is overwritten"));
  EXPECT_THAT(files(), Not(Contains("checked")));
  EXPECT_EQ(read("rep/mine.txt"), "x");
}

}  // namespace
}  // namespace assay::e2e
