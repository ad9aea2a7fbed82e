// Runs real scripts in python3, or in the Python of ASSAY_TEST_PYTHON, which has NumPy and ml_dtypes. Tests that need
// NumPy are skipped if it is missing.
#include "data/script_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "base/temp_dir.h"
#include "base/test_log.h"
#include "data/testdata/test_python.h"
#include "tensor/convert.h"

namespace assay::data {
namespace {

using tensor::NamedTensors;
using test::can_import;
using test::test_python;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kScript = R"(
import numpy as np
import helper_beside

def load_data():
    for i in range(3):
        print("making", i)
        yield {"x": np.full((2,), i, dtype=np.float32), "name/with:signs": np.array([True]), "file": [1, 2]}

def as_list():
    return [{"x": np.float64(2.5), "s": np.array(["a", "bc"], dtype=object)}]

def long_strings():
    yield {"s": np.array(["a", "b" * 300], dtype=np.dtypes.StringDType())}

def small_types():
    import ml_dtypes
    yield {"bf": np.array([1, -2], dtype=ml_dtypes.bfloat16), "i4": np.array([-8, 7], dtype=ml_dtypes.int4)}

def raises():
    yield {"x": np.zeros(1)}
    helper_beside.fail()

def objects():
    yield {"x": np.array([object()])}

def dates():
    yield {"x": np.array(["2020-01-01"], dtype="M8[D]")}

def single():
    return {"x": np.zeros(1)}

def number():
    return 3

def nothing():
    return []

def leaves():
    import os
    os.abort()

def hangs():
    import time
    time.sleep(600)
    yield {}

not_a_function = 3
)";

class ScriptSourceTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!can_import("numpy")) GTEST_SKIP() << test_python() << " has no NumPy";
    auto folder = base::TempDir::create();
    ASSERT_TRUE(folder);
    folder_.emplace(std::move(*folder));
    ASSERT_TRUE(base::write_file(path("script.py"), kScript));
    ASSERT_TRUE(base::write_file(path("helper_beside.py"), "def fail():\n    raise KeyError('no such thing')\n"));
  }
  [[nodiscard]] std::filesystem::path path(const std::string& name) const { return folder_->path() / name; }

  base::Expected<std::unique_ptr<InputSource>> run(const std::string& function, worker::Limits limits = {}) {
    return script_inputs({.script = {path("script.py"), function}, .python = test_python(), .limits = limits}, stop_,
                         log_);
  }
  std::string message(const std::string& function, worker::Limits limits = {}) {
    const auto source = run(function, limits);
    return source ? "no error" : source.error().message();
  }
  static NamedTensors iteration(InputSource& source, std::int64_t index) {
    auto inputs = source.iteration(index, {});
    EXPECT_TRUE(inputs) << inputs.error().message();
    EXPECT_TRUE(inputs && *inputs);
    return inputs && *inputs ? **inputs : NamedTensors();
  }

  std::optional<base::TempDir> folder_;
  base::Stop stop_;
  base::test::TestLog log_;
};

TEST_F(ScriptSourceTest, AGeneratorGivesIterations) {
  const auto source = run("load_data");
  ASSERT_TRUE(source) << source.error().message();
  for (int i = 0; i < 3; ++i) {
    const NamedTensors inputs = iteration(**source, i);
    EXPECT_THAT(inputs.names(), ElementsAre("x", "name/with:signs", "file"));
    EXPECT_THAT(tensor::to_doubles(*inputs.find("x")), ElementsAre(i, i));
    EXPECT_THAT(tensor::to_doubles(*inputs.find("file")), ElementsAre(1, 2));
  }
  EXPECT_EQ(*(*source)->iteration(3, {}), std::nullopt);
  EXPECT_THAT(log_.messages(), ElementsAre(HasSubstr("making 2")));
}

TEST_F(ScriptSourceTest, AnIterableAndScalarsAndStringsAreTaken) {
  const auto source = run("as_list");
  ASSERT_TRUE(source) << source.error().message();
  const NamedTensors inputs = iteration(**source, 0);
  EXPECT_EQ(inputs.find("x")->shape(), tensor::Shape());
  EXPECT_THAT(inputs.find("s")->strings(), ElementsAre("a", "bc"));
}

TEST_F(ScriptSourceTest, StringsOfVariableLengthAreTaken) {
  if (!can_import("numpy.dtypes; numpy.dtypes.StringDType")) GTEST_SKIP() << test_python() << " has no NumPy 2";
  const auto source = run("long_strings");
  ASSERT_TRUE(source) << source.error().message();
  EXPECT_THAT(iteration(**source, 0).find("s")->strings(), ElementsAre("a", std::string(300, 'b')));
}

TEST_F(ScriptSourceTest, TypesOfMlDtypesKeepTheirNames) {
  if (!can_import("ml_dtypes")) GTEST_SKIP() << test_python() << " has no ml_dtypes";
  const auto source = run("small_types");
  ASSERT_TRUE(source) << source.error().message();
  const NamedTensors inputs = iteration(**source, 0);
  EXPECT_EQ(inputs.find("bf")->type(), tensor::ElementType::bfloat16);
  EXPECT_THAT(tensor::to_doubles(*inputs.find("bf")), ElementsAre(1, -2));
  EXPECT_EQ(inputs.find("i4")->type(), tensor::ElementType::int4);
  EXPECT_THAT(tensor::to_doubles(*inputs.find("i4")), ElementsAre(-8, 7));
}

TEST_F(ScriptSourceTest, AnExceptionComesWithItsTraceback) {
  EXPECT_THAT(message("raises"), testing::AllOf(HasSubstr("KeyError: 'no such thing'"), HasSubstr("script.py\", line"),
                                                HasSubstr("script.py:raises")));
}

TEST_F(ScriptSourceTest, DataThatMakesNoSenseIsAnError) {
  EXPECT_THAT(message("objects"), HasSubstr("'x' is an array of Python objects"));
  EXPECT_THAT(message("dates"), HasSubstr("datetime64[D]"));
  EXPECT_THAT(message("single"), HasSubstr("must be a dictionary of arrays by name, not str"));
  EXPECT_THAT(message("number"), HasSubstr("iterable of dictionaries, not int"));
  EXPECT_THAT(message("nothing"), HasSubstr("returned no iterations"));
  EXPECT_THAT(message("missing"), HasSubstr("no function missing()"));
  EXPECT_THAT(message("not_a_function"), HasSubstr("no function not_a_function()"));
}

TEST_F(ScriptSourceTest, AScriptThatDiesOrHangsIsAnError) {
  EXPECT_THAT(message("leaves"), HasSubstr("signal 6"));
  const auto hung = run("hangs", {.time_s = 0.5, .memory_bytes = {}});
  ASSERT_FALSE(hung);
  EXPECT_THAT(hung.error().message(), HasSubstr("0.5 s"));
}

TEST_F(ScriptSourceTest, AStopEndsTheScript) {
  stop_.request();
  const auto source = run("hangs");
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().kind, base::ErrorKind::interrupted);
}

TEST_F(ScriptSourceTest, TheFolderGoesWithTheSource) {
  auto source = run("as_list");
  ASSERT_TRUE(source);
  const NamedTensors inputs = iteration(**source, 0);
  source->reset();
  EXPECT_THAT(tensor::to_doubles(*inputs.find("x")), ElementsAre(2.5));
}

TEST(ScriptTest, MissingFilesAndProgramsAreNamed) {
  base::Stop stop;
  base::SilentLog log;
  const auto missing = script_inputs({.script = {"/nothing/s.py", "f"}, .python = "python3", .limits = {}}, stop, log);
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message(), HasSubstr("/nothing/s.py"));
  const auto folder = base::TempDir::create();
  ASSERT_TRUE(folder && base::write_file(folder->path() / "s.py", ""));
  const auto python =
      script_inputs({.script = {folder->path() / "s.py", "f"}, .python = "no-such-python", .limits = {}}, stop, log);
  ASSERT_FALSE(python);
  EXPECT_EQ(python.error().kind, base::ErrorKind::not_found);
  EXPECT_THAT(python.error().message(), HasSubstr("no-such-python"));
}

TEST(ScriptTest, APythonWithoutNumpyIsNamed) {
  const auto folder = base::TempDir::create();
  ASSERT_TRUE(folder && base::write_file(folder->path() / "s.py", "def load_data(): return []"));
  const auto python = folder->path() / "python-without-numpy";
  // -I -S: without the folders that contain packages.
  ASSERT_TRUE(base::write_file(python, "#!/bin/sh\nexec python3 -I -S \"$@\"\n"));
  std::filesystem::permissions(python, std::filesystem::perms::owner_all);
  base::Stop stop;
  base::SilentLog log;
  const auto source =
      script_inputs({.script = {folder->path() / "s.py", "load_data"}, .python = python, .limits = {}}, stop, log);
  ASSERT_FALSE(source);
  EXPECT_THAT(source.error().message(), testing::AllOf(HasSubstr("no NumPy"), HasSubstr("-m pip install numpy")));
}

TEST(ScriptTest, FunctionsAreNamedAfterAColon) {
  EXPECT_EQ(parse_script("a/b.py", "load_data").function, "load_data");
  EXPECT_EQ(parse_script("a/b.py:make", "load_data").function, "make");
  EXPECT_EQ(parse_script("a/b.py:make", "load_data").path, "a/b.py");
  EXPECT_EQ(parse_script("a/b.py:", "load_data").path, "a/b.py");
  EXPECT_EQ(parse_script("a/b.py:", "load_data").function, "load_data");
}

}  // namespace
}  // namespace assay::data
