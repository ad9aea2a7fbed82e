// Runs the worker of ONNX Runtime.
#include "reduce/reference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "model/load.h"

namespace assay::reduce {
namespace {

using testing::HasSubstr;

// r0 .. r3 can be computed, and m cannot: no engine has a kernel for Mystery. b and z need it.
constexpr std::string_view kModel = R"(
<ir_version: 8, opset_import: ["" : 17, "some.where" : 1]>
g (float[2] x) => (float[2] z, float[2] r3) {
  r0 = Relu(x)
  r1 = Neg(r0)
  m = some.where.Mystery(r1)
  b = Abs(m)
  r2 = Abs(r1)
  r3 = Add(r2, r0)
  z = Add(b, r3)
})";

class ReferenceTest : public testing::Test {
 protected:
  void SetUp() override {
    const char* library = std::getenv("ASSAY_FETCHED_ONNXRUNTIME_LIB");
    if (library == nullptr || *library == '\0') GTEST_SKIP() << "ASSAY_FETCHED_ONNXRUNTIME_LIB names no ONNX Runtime";
    library_ = library;
  }

  EngineReference reference(bool with_input = true) {
    EngineReference::Options options;
    options.engine = {.kind = "onnxruntime", .library = library_, .options = {}};
    options.given = [with_input] {
      tensor::NamedTensors values;
      if (with_input) values.set("x", tensor::Tensor::of<float>(tensor::ElementType::float32, {2}, {1, 2}));
      return values;
    };
    return {subject_, facts_, pool_, std::move(options)};
  }

  std::filesystem::path library_;
  base::Stop stop_;
  worker::Pool pool_{{ASSAY_BINARY_DIR "/libexec/assay", 2}, stop_};
  model::Model model_ = model::parse_text(kModel).value();
  edit::Subject subject_{model_};
  edit::TensorFacts facts_{subject_};
};

TEST_F(ReferenceTest, ComputesWhatThePartOfTheModelGives) {
  EngineReference values = reference();
  const auto got = values.values({"r3", "r1", "x"});
  ASSERT_TRUE(got.has_value()) << got.error().message();
  EXPECT_EQ(got->find("r3")->load<float>(1), 4);  // |-2| + 2
  EXPECT_EQ(got->find("r1")->load<float>(0), -1);
}

TEST_F(ReferenceTest, WhetherValuesCanBeHadDoesNotDependOnWhatWasAskedBefore) {
  const std::vector<std::vector<std::string>> questions = {{"m"},  {"r1", "b"},       {"r0", "r2"}, {"z"},
                                                           {"b"},  {"r0", "m", "r3"}, {"r3"},       {"x"},
                                                           {"r1"}, {"z", "r3"},       {"m", "b"},   {"r2", "r3", "r0"}};
  std::vector<bool> alone;
  for (const auto& names : questions) {
    EngineReference fresh = reference();
    alone.push_back(fresh.values(names).has_value());
  }
  EngineReference one = reference();
  for (std::size_t i = 0; i < questions.size(); ++i) EXPECT_EQ(one.values(questions[i]).has_value(), alone[i]) << i;
  EngineReference backwards = reference();
  for (std::size_t i = questions.size(); i-- > 0;) {
    EXPECT_EQ(backwards.values(questions[i]).has_value(), alone[i]) << i;
  }
  EXPECT_EQ(alone, (std::vector{false, false, true, false, false, false, true, true, true, false, false, true}));
}

TEST_F(ReferenceTest, RunsNoPartAgainWithTheNodeThatFailed) {
  EngineReference values = reference();
  EXPECT_FALSE(values.values({"r0", "r1", "m"}).has_value());
  for (int i = 0; i < 2 * EngineReference::kFailedRuns; ++i) {
    const auto got = values.values({"r3", "b"});
    ASSERT_FALSE(got.has_value());
    EXPECT_THAT(got.error().message(), HasSubstr("Mystery 'm'"));
  }
  EXPECT_TRUE(values.values({"r2"}).has_value());  // those were no runs: the engine is still asked
}

TEST_F(ReferenceTest, NamesTheInputThatHasNoValue) {
  EngineReference values = reference(false);
  const auto got = values.values({"r0"});
  ASSERT_FALSE(got.has_value());
  EXPECT_THAT(got.error().message(), HasSubstr("no value for an input of the model (in x)"));
}

}  // namespace
}  // namespace assay::reduce
