#include "report/repro.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "base/files.h"
#include "data/inputs_file.h"
#include "data/run_results.h"
#include "model/load.h"
#include "report/machine.h"
#include "report/programs.h"
#include "tensor/npz.h"
#include "tests/support/paths.h"
#include "worker/process.h"

namespace assay::report {
namespace {

namespace fs = std::filesystem;
using tensor::ElementType;
using tensor::Tensor;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr auto kAdd = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[2] x, bool b, string[2] s) => (float[2] y, string[2] t, bool c)
  { y = Add(x, x) t = Identity(s) c = Not(b) })";
// ONNX Runtime has no kernel for it.
constexpr auto kMaxOfInt16 = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (int16[2] x) => (int16[2] y) { y = Max(x, x) })";

Tensor floats(const std::vector<float>& values) {
  return Tensor::of<float>(ElementType::float32, {static_cast<std::int64_t>(values.size())}, values);
}

class Repro : public testing::Test {
 protected:
  explicit Repro(const char* text = kAdd)
      : folder_(base::TempDir::create().value()), model_(model::parse_text(text).value()), input_{.model = model_} {
    input_.inputs.set("x", floats({1, 2}));
    input_.inputs.set("b", Tensor::of<std::uint8_t>(ElementType::boolean, {}, {1}));
    input_.inputs.set("s", Tensor::make_strings({2}, {"one \"two\"", "gr\xc3\xbc\xc3\x9f"}).value());
    input_.inputs_from = "generated with seed 1";
    input_.check = "assay run polygraphy_debug.onnx --onnxrt";
    input_.ending = "exit code 1";
    input_.output = "it broke\n";
    input_.check_is_known = true;
    input_.versions = {{"Assay", "0.0"}, {"ONNX Runtime", "1.2.3"}};
  }
  void use(const char* text, const std::string& name, Tensor values) {
    model_ = model::parse_text(text).value();
    input_.inputs = {};
    input_.inputs.set(name, std::move(values));
  }
  fs::path at(const std::string& name) const { return folder_.path() / "r" / name; }
  std::string read(const std::string& name) const { return base::read_file(at(name)).value_or("?"); }
  base::Status write() { return write_repro(folder_.path() / "r", input_); }

  // Exit code, and output; a signal is the code 128 + N.
  std::pair<int, std::string> run(const std::vector<std::string>& argv) const {
    base::Stop stop;
    const auto outcome = worker::run({.argv = argv, .environment = {}, .folder = at("")}, {}, stop);
    EXPECT_TRUE(outcome) << outcome.error().message();
    if (*outcome) return {(*outcome)->code, (*outcome)->output};
    const auto* crash = std::get_if<worker::Crashed>(&outcome->error());
    return crash != nullptr ? std::pair{128 + crash->signal, crash->last_output} : std::pair{-1, std::string()};
  }

  base::TempDir folder_;
  model::Model model_;
  ReproInput input_;
};

TEST_F(Repro, HoldsTheModelItsInputsAndHowToUseThem) {
  input_.seen.set("y", floats({2, 4}));
  ASSERT_TRUE(write());
  EXPECT_TRUE(model::load(at("model.onnx")));
  EXPECT_THAT(tensor::read_npz(at("inputs.npz"))->names(), testing::ElementsAre("x", "b", "s"));
  const auto inputs = data::load_inputs(at("inputs.json"));
  ASSERT_TRUE(inputs) << inputs.error().message();
  EXPECT_TRUE(identical(*inputs->at(0).find("s"), *input_.inputs.find("s")));
  EXPECT_EQ(data::load_run_results(at("seen_outputs.json"))->runners.at(0).runner, "seen");
  EXPECT_FALSE(fs::exists(at("expected_outputs.npz"))) << "nobody knows them";
  EXPECT_THAT(read("README.md"),
              AllOf(HasSubstr("assay run polygraphy_debug.onnx --onnxrt"), HasSubstr("exit code 1"),
                    HasSubstr("it broke"), HasSubstr("Add"), HasSubstr("seed 1"), HasSubstr("ONNX Runtime: 1.2.3"),
                    HasSubstr("python3 reproduce.py"), HasSubstr("g++"), Not(HasSubstr("expected_outputs"))));
  EXPECT_THAT(read("check.txt"), HasSubstr("it broke"));
}

TEST_F(Repro, SaysThatItDoesNotRunACheckThatItDoesNotKnow) {
  input_.check = "'./try my engine.sh' {model}";
  input_.check_is_known = false;
  ASSERT_TRUE(write());
  EXPECT_THAT(read("README.md"),
              AllOf(HasSubstr("'./try my engine.sh' {model}"), HasSubstr("do not run that command")));
}

TEST_F(Repro, DoesNotMakeUpHowTheCheckEnded) {
  input_.ending = "";
  ASSERT_TRUE(write());
  EXPECT_THAT(read("README.md"), HasSubstr("This command judged the model:\n"));
}

TEST_F(Repro, TellsHowToRunItWithTheSameOptions) {
  input_.engine = {.providers = {"cuda", "cpu"},
                   .graph_optimization_level = "ORT_DISABLE_ALL",
                   .intra_op_threads = 2,
                   .session_config = {{"a.b", "1"}}};
  input_.expected.set("y", floats({2, 4}));
  ASSERT_TRUE(write());
  EXPECT_THAT(read("README.md"),
              HasSubstr("assay run model.onnx --onnxrt --load-inputs inputs.json --providers cuda cpu "
                        "--graph-optimization-level ORT_DISABLE_ALL --threads 2 --session-config a.b=1 "
                        "--load-outputs expected_outputs.json\n"));
}

TEST_F(Repro, TakesThePlaceOfAnEmptyFolderOnly) {
  fs::create_directory(folder_.path() / "r");
  ASSERT_TRUE(write());
  const base::Status again = write();
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().kind, base::ErrorKind::invalid_input);
  ASSERT_TRUE(base::write_file(folder_.path() / "file", "x"));
  EXPECT_FALSE(write_repro(folder_.path() / "file", input_));
  EXPECT_EQ(base::read_file(folder_.path() / "file").value(), "x");
}

TEST_F(Repro, LeavesNothingBehindWhereItCannotBeWritten) {
  input_.verbatim = folder_.path() / "no-such.onnx";
  ASSERT_FALSE(write());
  EXPECT_TRUE(fs::is_empty(folder_.path()));
}

TEST_F(Repro, CopiesAFileVerbatimWithItsExternalData) {
  const fs::path original = test::models_dir() / "ext_weights.onnx";
  model_ = model::load(original).value();
  input_.verbatim = original;
  ASSERT_TRUE(write());
  EXPECT_EQ(read("model.onnx"), base::read_file(original).value());
  EXPECT_EQ(read("ext_weights.data"), base::read_file(test::models_dir() / "ext_weights.data").value());
}

TEST_F(Repro, LeavesOutFormsThatCannotHoldAnInput) {
  input_.inputs.set("s", Tensor::make_strings({2}, {std::string("a\0", 2), "b"}).value());
  ASSERT_TRUE(write());
  EXPECT_FALSE(fs::exists(at("inputs.npz")));
  EXPECT_EQ(read("data/input_2.bin"), std::string("\2\0\0\0\0\0\0\0a\0\1\0\0\0\0\0\0\0b", 19));
}

TEST(EngineUse, IsWhatTheOptionsOfTheWorkerSay) {
  const EngineUse use = engine_use({{"providers", "cuda, cpu"},
                                    {"graph_optimization_level", "ORT_DISABLE_ALL"},
                                    {"intra_op_threads", "3"},
                                    {"config.session.x", "1"}});
  EXPECT_THAT(use.providers, testing::ElementsAre("cuda", "cpu"));
  EXPECT_EQ(use.graph_optimization_level, "ORT_DISABLE_ALL");
  EXPECT_EQ(use.intra_op_threads, 3);
  EXPECT_EQ(use.session_config.at("session.x"), "1");
}

TEST(ProgramText, HoldsAnyString) {
  EXPECT_EQ(python_string("a\"b\\c\n?\xc3\xbc"), "\"a\\042b\\134c\\012?\xc3\xbc\"");
  EXPECT_EQ(cpp_string("a\"?\xc3\xbc"
                       "1"),
            "\"a\\042\\077\\303\\2741\"");
}

TEST(Machine, IsToldWithoutNamesOfHostsAndUsers) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : describe_machine()) {
    keys.push_back(key);
    EXPECT_FALSE(value.empty()) << key;
  }
  EXPECT_THAT(keys, testing::IsSupersetOf({"Kernel", "CPU", "Memory"}));
}

// How each program is run on the folder.
class Programs : public Repro, public testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    const bool python = GetParam() == std::string("python");
    const char* needed = std::getenv(python ? "ASSAY_PEER_PYTHON" : "ASSAY_FETCHED_ONNXRUNTIME_LIB");
    if (needed == nullptr || *needed == '\0') {
      GTEST_SKIP() << (python ? "no Python with onnxruntime (ASSAY_PEER_PYTHON)"
                              : "no ONNX Runtime library (ASSAY_FETCHED_ONNXRUNTIME_LIB)");
    }
    needed_ = needed;
    if (!python && !fs::exists(fs::path(ASSAY_ONNXRUNTIME_INCLUDE_DIR) / "onnxruntime_cxx_api.h")) {
      GTEST_SKIP() << "no C++ headers of ONNX Runtime beside those of its C API";
    }
  }
  // Writes the folder and runs the program in it.
  std::pair<int, std::string> show() {
    const base::Status status = write();
    EXPECT_TRUE(status) << status.error().message();
    if (GetParam() == std::string("python")) return run({needed_, "reproduce.py"});
    // A release has the library under the name that programs ask for; the one here has its full version in its name.
    fs::create_directory(at("lib"));
    fs::create_symlink(needed_, at("lib/libonnxruntime.so"));
    fs::create_symlink(needed_, at("lib/libonnxruntime.so.1"));
    const auto [code, text] =
        run({"g++", "-std=c++17", "-Wall", "-isystem", ASSAY_ONNXRUNTIME_INCLUDE_DIR, "reproduce.cc", "-Llib",
             "-lonnxruntime", "-Wl,-rpath,$ORIGIN/lib", "-o", "reproduce"});
    EXPECT_EQ(code, 0) << text;
    EXPECT_EQ(text, "");
    return run({"./reproduce"});
  }
  std::string needed_;
};

TEST_P(Programs, RunTheModelAndFindNothingWrong) {
  input_.expected.set("y", floats({2, 4}));
  input_.expected.set("t", *input_.inputs.find("s"));
  input_.expected.set("c", Tensor::of<std::uint8_t>(ElementType::boolean, {}, {0}));
  const auto [code, output] = show();
  EXPECT_EQ(code, 0) << output;
  EXPECT_THAT(output,
              AllOf(HasSubstr("'y': as expected"), HasSubstr("'t': as expected"), HasSubstr("'c': as expected")));
}

TEST_P(Programs, ShowOutputsThatDiffer) {
  input_.expected.set("y", floats({2, 5}));
  const auto [code, output] = show();
  EXPECT_EQ(code, 1) << output;
  EXPECT_THAT(output, AllOf(HasSubstr("'y': 1 of 2 elements differ"), HasSubstr("FAILED")));
}

TEST_P(Programs, TakeTheTolerancesOfTheCheck) {
  input_.expected.set("y", floats({2, 5}));
  input_.absolute["y"] = 1;
  const auto [code, output] = show();
  EXPECT_EQ(code, 0) << output;
}

TEST_P(Programs, ShowAnErrorOfTheEngine) {
  use(kMaxOfInt16, "x", Tensor::of<std::int16_t>(ElementType::int16, {2}, {1, 2}));
  const auto [code, output] = show();
  EXPECT_EQ(code, 1) << output;
  EXPECT_THAT(output, AllOf(HasSubstr("FAILED"), HasSubstr("Could not find an implementation for Max(13)")));
}

TEST_P(Programs, ShowWhatIsNoNumber) {
  use(R"(<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => (float[2] y) { y = Log(x) })", "x",
      floats({-1, 1}));
  input_.validate = true;
  const auto [code, output] = show();
  EXPECT_EQ(code, 1) << output;
  EXPECT_THAT(output, HasSubstr("FAILED"));
}

TEST_P(Programs, SayThatAProviderIsNotThere) {
  input_.engine.providers = {"no-such-provider"};
  const auto [code, output] = show();
  EXPECT_EQ(code, 2) << output;
  EXPECT_THAT(output, AllOf(HasSubstr("CANNOT BE TRIED"), HasSubstr("CPUExecutionProvider")));
}

TEST_P(Programs, TakeTheOptionsOfTheCheck) {
  input_.engine = {.providers = {"cpu"},
                   .graph_optimization_level = "ORT_DISABLE_ALL",
                   .intra_op_threads = 1,
                   .session_config = {{"session.intra_op.allow_spinning", "0"}}};
  const auto [code, output] = show();
  EXPECT_EQ(code, 0) << output;
}

TEST_P(Programs, ReadTypesOfHalfTheSize) {
  use(R"(<ir_version: 8, opset_import: ["" : 17]> g (float16[3] x) => (float16[3] y) { y = Identity(x) })", "x",
      Tensor::of<std::uint16_t>(ElementType::float16, {3}, {0x3c00, 0x0001, 0xfbff}));
  input_.expected.set("y", Tensor::of<std::uint16_t>(ElementType::float16, {3}, {0x3c00, 0x0001, 0x7bff}));
  const auto [code, output] = show();
  EXPECT_EQ(code, 1) << output;
  EXPECT_THAT(output, AllOf(HasSubstr("1 of 3 elements differ"), HasSubstr("-65504"), HasSubstr("expected 65504")));
}

INSTANTIATE_TEST_SUITE_P(Each, Programs, testing::Values("python", "cpp"),
                         [](const auto& program) { return std::string(program.param); });

}  // namespace
}  // namespace assay::report
