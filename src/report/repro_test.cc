#include "report/repro.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include "base/files.h"
#include "data/inputs_file.h"
#include "data/run_results.h"
#include "model/load.h"
#include "report/machine.h"
#include "report/program_text.h"
#include "report/repro_test_support.h"
#include "tensor/npz.h"
#include "tests/support/paths.h"

namespace assay::report {
namespace {

namespace fs = std::filesystem;
using tensor::ElementType;
using tensor::Tensor;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

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
  EXPECT_THAT(
      read("README.md"),
      AllOf(HasSubstr("assay run polygraphy_debug.onnx --onnxrt"), HasSubstr("exit status 1"), HasSubstr("it broke"),
            HasSubstr("Add"), HasSubstr("seed 1"), HasSubstr("ONNX Runtime: 1.2.3"), HasSubstr("python3 reproduce.py"),
            HasSubstr("g++"), Not(HasSubstr("expected_outputs")), Not(HasSubstr("no programs"))));
  EXPECT_THAT(read("check.txt"), HasSubstr("it broke"));
}

TEST_F(Repro, ListsTheNodesOfBodies) {
  use(R"(<ir_version: 8, opset_import: ["" : 17]> g (bool c) => (float y)
    { y = If(c) <then_branch = t () => (float a) { a = Constant<value = float {1}>() },
                 else_branch = e () => (float b) { b = RandomNormal<shape = [1]>() }> })",
      "c", Tensor::of<std::uint8_t>(ElementType::boolean, {}, {1}));
  ASSERT_TRUE(write());
  EXPECT_THAT(read("README.md"), HasSubstr("\n    If 'y' (node #0)\n"
                                           "        Constant 'a' (node #0)\n"
                                           "        RandomNormal 'b' (node #0)\n"));
}

TEST_F(Repro, SaysThatItDoesNotRunACheckThatItDoesNotKnow) {
  input_.check = "'./try my engine.sh' {model}";
  input_.check_is_known = false;
  input_.commands = {"cp rep/model.onnx a.onnx", "'./try my engine.sh' a.onnx"};
  ASSERT_TRUE(write());
  EXPECT_THAT(read("README.md"),
              AllOf(HasSubstr("'./try my engine.sh' {model}"),
                    HasSubstr("\n\n    cp rep/model.onnx a.onnx\n    './try my engine.sh' a.onnx\n\n"),
                    HasSubstr("do not run that command")));
}

TEST_F(Repro, DoesNotMakeUpHowTheCheckEnded) {
  input_.ending = "";
  ASSERT_TRUE(write());
  EXPECT_THAT(read("README.md"), HasSubstr("This command judged the model:\n"));
}

TEST_F(Repro, TellsOfTheEngineThatItsProgramsUse) {
  input_.check = "assay run polygraphy_debug.onnx --openvino";
  input_.versions = {};
  input_.engine = {.kind = "openvino",
                   .options = {{"device", "CPU"}, {"config.INFERENCE_NUM_THREADS", "2"}},
                   .why = "it fails where ONNX Runtime runs"};
  ASSERT_TRUE(write());
  EXPECT_THAT(read("README.md"),
              AllOf(HasSubstr("The programs here use OpenVINO: it fails where ONNX Runtime runs."),
                    HasSubstr("packages `openvino` and `numpy`"), Not(HasSubstr("onnxruntime")),
                    HasSubstr("With Assay:\n\n    assay run model.onnx --openvino --load-inputs inputs.json "
                              "--openvino-device CPU --openvino-config INFERENCE_NUM_THREADS=2\n")));
  EXPECT_THAT(read("CMakeLists.txt"), HasSubstr("find_package(OpenVINO"));
  for (const char* program : {"reproduce.py", "reproduce.cc"}) {
    EXPECT_THAT(read(program),
                AllOf(HasSubstr("only OpenVINO's own"), Not(HasSubstr("onnxruntime")), Not(HasSubstr("@"))))
        << program;
  }
}

TEST_F(Repro, SaysThatItsProgramsDoNotShowAnEngineThatFails) {
  input_.engine.unreached = "Python module mine.py";
  ASSERT_TRUE(write());
  EXPECT_THAT(read("README.md"),
              HasSubstr("Python module mine.py fails on the model, but there are no programs for that engine. The "
                        "programs here use ONNX Runtime,\nwhich runs the model"));
}

TEST_F(Repro, TellsHowToRunItWithTheSameOptions) {
  input_.engine.options = {{"providers", "cuda,cpu"},
                           {"graph_optimization_level", "ORT_DISABLE_ALL"},
                           {"intra_op_threads", "2"},
                           {"config.a.b", "A;B"}};
  input_.expected.set("y", floats({2, 4}));
  input_.absolute = {{"", 1e-3}, {"y", 0.5}};
  input_.relative = {{"", 1e-5}, {"my t", 0}};
  input_.equal = stats::EqualSpecials::both();
  ASSERT_TRUE(write());
  EXPECT_THAT(
      read("README.md"),
      HasSubstr("With Assay:\n\n    assay run model.onnx --onnxrt --load-inputs inputs.json --providers cuda cpu "
                "--graph-optimization-level ORT_DISABLE_ALL --threads 2 --session-config 'a.b=A;B' "
                "--load-outputs expected_outputs.json --atol 0.001 y:0.5 --rtol 'my t:0' "
                "--infinities-compare-equal --nans-compare-equal\n"));
}

TEST_F(Repro, LeavesOutWhatIsTheDefaultOfComparisons) {
  input_.expected.set("y", floats({2, 4}));
  ASSERT_TRUE(write());
  EXPECT_THAT(
      read("README.md"),
      HasSubstr("With Assay, or with Polygraphy by its name:\n\n    assay run model.onnx --onnxrt --load-inputs "
                "inputs.json --load-outputs expected_outputs.json\n"));
}

TEST_F(Repro, CopiesLibrariesThatHaveTheSameName) {
  const fs::path first = folder_.path() / "a" / "libops.so";
  const fs::path second = folder_.path() / "b" / "libops.so";
  ASSERT_TRUE(base::write_file(first, "one"));
  ASSERT_TRUE(base::write_file(second, "two"));
  input_.engine.options = {{"custom_ops", first.string() + "," + second.string()}};
  const base::Status written = write();
  ASSERT_TRUE(written) << written.error().message();
  EXPECT_EQ(read("libops.so"), "one");
  EXPECT_EQ(read("2_libops.so"), "two");
  EXPECT_THAT(read("README.md"), HasSubstr("--custom-ops libops.so 2_libops.so"));
}

TEST_F(Repro, LeavesLibrariesToTheDynamicLoader) {
  input_.engine.options = {{"custom_ops", "libnot_in_the_working_folder.so"}};
  const base::Status written = write();
  ASSERT_TRUE(written) << written.error().message();
  EXPECT_THAT(read("README.md"), HasSubstr("- `libnot_in_the_working_folder.so`: libraries of custom operators, not "
                                           "copied: the dynamic loader finds it by its name\n"));
  EXPECT_THAT(read("reproduce.py"), HasSubstr("CUSTOM_OPS = [\"libnot_in_the_working_folder.so\"]"));
  input_.engine.options = {{"custom_ops", "no_such_folder/libops.so"}};
  EXPECT_EQ(write_repro(folder_.path() / "other", input_).error().kind, base::ErrorKind::not_found);
}

TEST_F(Repro, FillsTheWorkingFolder) {
  const fs::path before = fs::current_path();
  fs::create_directory(folder_.path() / "r");
  fs::current_path(folder_.path() / "r");
  const base::Status checked = check_repro_folder(".");
  const base::Status written = write_repro(".", input_);
  fs::current_path(before);
  ASSERT_TRUE(checked) << checked.error().message();
  ASSERT_TRUE(written) << written.error().message();
  std::vector<std::string> names;
  const std::vector<fs::path> entries = base::list_folder(folder_.path() / "r").value();
  for (const fs::path& entry : entries) names.push_back(entry.filename().string());
  EXPECT_THAT(names, testing::ElementsAre("CMakeLists.txt", "README.md", "check.txt", "data", "inputs.json",
                                          "inputs.npz", "model.onnx", "reproduce.cc", "reproduce.py", "versions.txt"));
}

// The reduction's own files may be in the working folder by then.
TEST_F(Repro, KeepsWhatIsInAnExistingFolder) {
  ASSERT_TRUE(base::write_file(at("mine.txt"), "mine"));
  EXPECT_FALSE(check_repro_folder(at("")));
  EXPECT_TRUE(check_repro_folder(at(""), /*resumes=*/true));
  ASSERT_TRUE(write());
  EXPECT_EQ(read("mine.txt"), "mine");
  EXPECT_TRUE(fs::exists(at("README.md")));
  EXPECT_FALSE(check_repro_folder(at(""), /*resumes=*/true));
}

TEST_F(Repro, NeedsOnlyTheFolderItself) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  fs::create_directory(folder_.path() / "r");
  fs::permissions(folder_.path(), fs::perms::owner_read | fs::perms::owner_exec);
  const base::Status as_new = check_repro_folder(folder_.path() / "new");
  const base::Status checked = check_repro_folder(at(""));
  const base::Status written = write();
  fs::permissions(folder_.path(), fs::perms::owner_all);
  EXPECT_FALSE(as_new) << "a command has to fail before its work";
  EXPECT_TRUE(checked) << checked.error().message();
  EXPECT_TRUE(written) << written.error().message();
}

TEST_F(Repro, ChecksAFolderWithoutCreatingAnything) {
  EXPECT_TRUE(check_repro_folder(folder_.path() / "a" / "b" / ""));
  EXPECT_TRUE(fs::is_empty(folder_.path()));
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

TEST_F(Repro, TakesThePlaceOfTheEmptyFolderThatALinkLeadsTo) {
  fs::create_directory(folder_.path() / "far");
  fs::create_symlink("far", folder_.path() / "r");
  ASSERT_TRUE(write());
  EXPECT_TRUE(fs::is_symlink(folder_.path() / "r"));
  EXPECT_TRUE(fs::exists(folder_.path() / "far/README.md"));
}

TEST_F(Repro, LeavesNothingBehindIfItCannotBeWritten) {
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

TEST(ProgramText, HoldsAnyString) {
  EXPECT_EQ(python_string("a\"b\\c\n?\xc3\xbc"), "\"a\\042b\\134c\\012?\xc3\xbc\"");
  EXPECT_EQ(python_string("\xff\xe2\x82\xac"), "\"\\udcff\xe2\x82\xac\"");
  EXPECT_EQ(python_string("\xc3"), "\"\\udcc3\"") << "a character that is cut";
  EXPECT_EQ(python_string("\xed\xa0\x80"), "\"\\udced\\udca0\\udc80\"") << "half of a surrogate pair";
  EXPECT_EQ(python_string("\xc0\xaf\xf0\x80\x80\xaf"), "\"\\udcc0\\udcaf\\udcf0\\udc80\\udc80\\udcaf\"")
      << "longer forms of '/'";
  EXPECT_EQ(cpp_string("a\"?\xc3\xbc"
                       "1"),
            "\"a\\042\\077\\303\\2741\"");
}

TEST(Machine, IsDescribedWithoutNamesOfHostsAndUsers) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : describe_machine()) {
    keys.push_back(key);
    EXPECT_FALSE(value.empty()) << key;
  }
  EXPECT_THAT(keys, testing::IsSupersetOf({"Kernel", "CPU", "Memory"}));
}

}  // namespace
}  // namespace assay::report
