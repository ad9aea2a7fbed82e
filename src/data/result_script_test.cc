// Runs real scripts in python3, or in the Python of ASSAY_TEST_PYTHON, which has NumPy and ml_dtypes.
#include "data/result_script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "base/temp_dir.h"
#include "base/test_log.h"
#include "data/testdata/fixture.h"
#include "data/testdata/test_python.h"

namespace assay::data {
namespace {

using tensor::ElementType;
using tensor::Tensor;
using test::can_import;
using test::test_python;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

constexpr std::string_view kScript = R"(
import numpy as np

def compare_outputs(first, second):
    print("comparing", first.runner_name, first.runtime, second.runner_name, second.runtime)
    return {name: np.array_equal(first[name], second[name]) for name in first}

class Compare:
    def __call__(self, first, second):
        return {"y": np.bool_(True)}

def types(first, second):
    import ml_dtypes
    return {"bf": first["bf"].dtype == ml_dtypes.bfloat16, "s": first["s"].tolist() == ["a", "bc"]}

def raises(first, second):
    raise KeyError("no such thing")

def verdict_alone(first, second):
    return True

def postprocess_outputs(result):
    result["y"] = result["y"] * 2
    result["added"] = np.array([1], dtype=np.int64)
    del result["z"]
    return result

def long_double(result):
    return {"y": result["y"].astype(np.longdouble)}

def small_types(result):
    return {"bf": -result["bf"]}
)";

class ResultScriptTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!can_import("numpy")) GTEST_SKIP() << test_python() << " has no NumPy";
    auto folder = base::TempDir::create();
    ASSERT_TRUE(folder);
    folder_.emplace(std::move(*folder));
    ASSERT_TRUE(base::write_file(folder_->path() / "script.py", kScript));
  }
  [[nodiscard]] ScriptOptions options(const std::string& function) const {
    return {.script = {folder_->path() / "script.py", function}, .python = test_python(), .limits = {}};
  }
  static IterationResult result(std::vector<std::pair<std::string, Tensor>> outputs, const std::string& runner) {
    return {test::named(std::move(outputs)), 0.5, runner};
  }

  std::optional<base::TempDir> folder_;
  base::Stop stop_;
  base::test::TestLog log_;
};

TEST_F(ResultScriptTest, ComparesTwoResults) {
  const IterationResult first = result({{"y/1", test::floats({2}, {1, 2})}, {"z", test::floats({}, {3})}}, "one");
  IterationResult second = result({{"y/1", test::floats({2}, {1, 2})}, {"z", test::floats({}, {4})}}, "two");
  second.runtime_s.reset();
  const auto verdicts = compare_by_script(options("compare_outputs"), first, second, stop_, log_);
  ASSERT_TRUE(verdicts) << verdicts.error().message();
  EXPECT_THAT(*verdicts, ElementsAre(Pair("y/1", true), Pair("z", false)));
  EXPECT_THAT(log_.messages(), ElementsAre("comparing one 0.5 two None"));
}

TEST_F(ResultScriptTest, TakesAnObjectThatCanBeCalled) {
  const IterationResult any = result({{"y", test::floats({1}, {1})}}, "one");
  const auto verdicts = compare_by_script(options("Compare"), any, any, stop_, log_);
  ASSERT_TRUE(verdicts) << verdicts.error().message();
  EXPECT_THAT(*verdicts, ElementsAre(Pair("y", true)));
}

TEST_F(ResultScriptTest, GivesArraysTheTypesOfTheirTensors) {
  if (!can_import("ml_dtypes")) GTEST_SKIP() << test_python() << " has no ml_dtypes";
  const Tensor bf = Tensor::of<std::uint16_t>(ElementType::bfloat16, {1}, {0x3f80});
  const IterationResult any = result({{"bf", bf}, {"s", Tensor::make_strings({2}, {"a", "bc"}).value()}}, "one");
  const auto verdicts = compare_by_script(options("types"), any, any, stop_, log_);
  ASSERT_TRUE(verdicts) << verdicts.error().message();
  EXPECT_THAT(*verdicts, ElementsAre(Pair("bf", true), Pair("s", true)));
  const auto changed = postprocess_by_script(options("small_types"), any, stop_, log_);
  ASSERT_TRUE(changed) << changed.error().message();
  EXPECT_TRUE(identical(*changed->find("bf"), Tensor::of<std::uint16_t>(ElementType::bfloat16, {1}, {0xbf80})));
}

TEST_F(ResultScriptTest, ChangesAResult) {
  const IterationResult before = result({{"y", test::floats({2}, {1, 2})}, {"z", test::floats({}, {3})}}, "one");
  const auto after = postprocess_by_script(options("postprocess_outputs"), before, stop_, log_);
  ASSERT_TRUE(after) << after.error().message();
  EXPECT_THAT(after->names(), ElementsAre("y", "added"));
  EXPECT_TRUE(identical(*after->find("y"), test::floats({2}, {2, 4})));
}

TEST_F(ResultScriptTest, ReportsErrorsOfAScript) {
  const IterationResult any = result({{"y", test::floats({1}, {1})}, {"z", test::floats({1}, {1})}}, "one");
  const auto message = [&](const std::string& function) {
    const auto verdicts = compare_by_script(options(function), any, any, stop_, log_);
    return verdicts ? "no error" : verdicts.error().message();
  };
  EXPECT_THAT(message("raises"), HasSubstr("KeyError: 'no such thing'"));
  EXPECT_THAT(message("verdict_alone"), HasSubstr("must return a dictionary, output to verdict, not bool"));
  EXPECT_THAT(message("absent"), HasSubstr("has no function absent()"));
}

TEST_F(ResultScriptTest, RefusesTypesThatOnnxDoesNotHave) {
  const IterationResult any = result({{"y", test::floats({1}, {1})}}, "one");
  const auto changed = postprocess_by_script(options("long_double"), any, stop_, log_);
  ASSERT_FALSE(changed);
  EXPECT_THAT(changed.error().message(), HasSubstr("the value of 'y' is an array of float"));
  EXPECT_THAT(changed.error().message(), HasSubstr("a type that ONNX does not have"));
}

TEST_F(ResultScriptTest, TakesAResultWithoutOutputs) {
  const IterationResult nothing = result({}, "one");
  const auto verdicts = compare_by_script(options("compare_outputs"), nothing, nothing, stop_, log_);
  ASSERT_TRUE(verdicts) << verdicts.error().message();
  EXPECT_TRUE(verdicts->empty());
}

}  // namespace
}  // namespace assay::data
