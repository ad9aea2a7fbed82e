// debug reduce --repro: the folder shows the failure that the check saw, to somebody who has the engine alone.
#include <gmock/gmock.h>

#include <cstdlib>

#include "data/run_results.h"
#include "tests/e2e/workspace.h"
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
constexpr auto kExp = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[3] x) => (float[3] y) { a = Neg(x) e = Exp(a) y = Abs(e) })";

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
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
  // What the programs say, each behind its exit status; those that cannot run here are told about and left out.
  [[nodiscard]] std::vector<Finished> programs() const {
    std::vector<Finished> finished;
    if (const std::string python = variable("ASSAY_PEER_PYTHON"); !python.empty()) {
      finished.push_back(run({python, path("rep/reproduce.py").string()}));
    } else {
      std::printf("reproduce.py is not run: no Python with onnxruntime (ASSAY_PEER_PYTHON)\n");
    }
    const std::string library = variable("ASSAY_FETCHED_ONNXRUNTIME_LIB");
    if (library.empty() || !fs::exists(fs::path(ASSAY_ONNXRUNTIME_INCLUDE_DIR) / "onnxruntime_cxx_api.h")) {
      std::printf("reproduce.cc is not run: no library, or no C++ headers, of ONNX Runtime\n");
      return finished;
    }
    const fs::path folder = path("lib");
    fs::create_directory(folder);
    fs::create_symlink(library, folder / "libonnxruntime.so");
    fs::create_symlink(library, folder / "libonnxruntime.so.1");
    const Finished built = run({"g++", "-std=c++17", "-isystem", ASSAY_ONNXRUNTIME_INCLUDE_DIR, "rep/reproduce.cc",
                                "-Llib", "-lonnxruntime", "-Wl,-rpath," + folder.string(), "-o", "reproduce"});
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
    EXPECT_THAT(read("rep/check.txt"), AllOf(HasSubstr("exit code 1"), HasSubstr(kError))) << mode;
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
  // And so it does with the command that the README gives.
  const Finished again = assay({"run", "rep/model.onnx", "--onnxrt", "--load-inputs", "rep/inputs.json",
                                "--load-outputs", "rep/expected_outputs.json"});
  EXPECT_EQ(again.status, 1);
  EXPECT_THAT(again.output, HasSubstr("3 of 3 elements differ"));
}

TEST_F(ReproTest, ACheckThatIsAnyCommandIsToldAndNotRun) {
  write_model("m.onnx", kExp);
  write("check.sh", "grep -q Exp \"$1\" && { echo I dislike Exp; exit 3; }; exit 0\n");
  const Finished finished = reduce({"--repro", "rep"}, {"sh", "check.sh", "polygraphy_debug.onnx"});
  ASSERT_EQ(finished.status, 0) << finished.output;
  EXPECT_THAT(read("rep/README.md"), AllOf(HasSubstr("sh check.sh polygraphy_debug.onnx"), HasSubstr("exit code 3"),
                                           HasSubstr("I dislike Exp"), HasSubstr("do not run that command")));
  for (const Finished& program : programs()) {
    EXPECT_EQ(program.status, 0);
    EXPECT_THAT(program.output, HasSubstr("The model ran"));
  }
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
