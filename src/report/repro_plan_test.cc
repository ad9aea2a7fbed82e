#include "report/repro_plan.h"

#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "data/test_inputs.h"
#include "model/load.h"

namespace assay::report {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

tensor::Tensor floats(const std::vector<float>& values) {
  return tensor::Tensor::of<float>(tensor::ElementType::float32, {static_cast<std::int64_t>(values.size())}, values);
}

tensor::NamedTensors named(const std::string& name, tensor::Tensor value) {
  tensor::NamedTensors values;
  values.set(name, std::move(value));
  return values;
}

class ReproPlanTest : public testing::Test {
 protected:
  run::RunSettings check(std::vector<tensor::NamedTensors> iterations) const {
    run::RunSettings settings;
    settings.engines = {engine("onnxruntime")};
    settings.inputs = std::make_unique<data::test::GivenInputs>(std::move(iterations));
    return settings;
  }
  static run::EngineSetup engine(const std::string& kind) {
    run::EngineSetup setup;
    setup.engine = kind;
    setup.spec.kind = kind;
    return setup;
  }
  base::Expected<ReproPlan> plan(run::RunSettings settings) {
    return plan_of_run(std::move(settings), model_, no_engines_, log_);
  }
  base::Expected<ReproPlan> plan(const tensor::NamedTensors& given) {
    return plan_of_unknown_check(given, model_, no_engines_, log_);
  }

  model::Model model_ = model::parse_text(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[2] x) => (float[2] y) { y = Neg(x) })")
                            .value();
  const backend::EngineSearch no_engines_{};  // places without engines
  base::SilentLog log_;
};

TEST_F(ReproPlanTest, TakesWhatTheCheckDoes) {
  run::RunSettings settings = check({named("x", floats({1, 2}))});
  settings.validate = true;
  settings.tolerances.equal.nans = true;
  const auto made = plan(std::move(settings));
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_THAT(made->engines, SizeIs(1));
  EXPECT_EQ(made->inputs.find("x")->load<float>(1), 2);
  EXPECT_EQ(made->inputs_from, "taken from the first iteration of the check");
  EXPECT_TRUE(made->validate);
  EXPECT_TRUE(made->tolerances.equal.nans);
  EXPECT_TRUE(made->check_is_known);
}

TEST_F(ReproPlanTest, ProgramsDoLessThanSomeChecks) {
  const tensor::NamedTensors inputs = named("x", floats({1, 2}));
  EXPECT_FALSE(plan(check({inputs, inputs}))->check_is_known) << "two iterations";
  run::RunSettings changed = check({inputs});
  changed.as_it_is = false;
  EXPECT_FALSE(plan(std::move(changed))->check_is_known) << "a changed model";
  run::RunSettings other = check({inputs});
  other.by_element = false;
  EXPECT_FALSE(plan(std::move(other))->check_is_known) << "another comparison";
  run::RunSettings python = check({inputs});
  python.engines = {engine("python")};
  EXPECT_FALSE(plan(std::move(python))->check_is_known) << "an engine without programs";
}

TEST_F(ReproPlanTest, GeneratesInputsIfThoseOfTheCheckDoNotFit) {
  const auto made = plan(check({named("x", floats({1, 2, 3}))}));
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_EQ(made->inputs.find("x")->shape(), tensor::Shape{2});
  EXPECT_EQ(made->inputs_from, "generated, because those of the check do not fit the model");
  EXPECT_FALSE(made->check_is_known);
}

TEST_F(ReproPlanTest, ExpectsTheSavedResultsOfTheCheck) {
  run::RunSettings settings = check({named("x", floats({1, 2}))});
  settings.saved = {{.runner = "trt-runner",
                     .iterations = {{.outputs = named("y", floats({-1, -2})), .runtime_s = {}, .runner = {}}}}};
  const auto made = plan(std::move(settings));
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_EQ(made->expected.find("y")->load<float>(0), -1);
  EXPECT_THAT(made->expected_from, HasSubstr("from trt-runner"));
}

TEST_F(ReproPlanTest, AnUnknownCheckGetsTheUsersInputs) {
  const auto made = plan(named("x", floats({3, 4})));
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_EQ(made->inputs.find("x")->load<float>(0), 3);
  EXPECT_EQ(made->inputs_from, "given to the reduction");
  EXPECT_FALSE(made->check_is_known);
}

TEST_F(ReproPlanTest, AnUnknownCheckGetsGeneratedInputsIfTheUsersDoNotFit) {
  const auto made = plan(named("other", floats({3, 4})));
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_NE(made->inputs.find("x"), nullptr);
  EXPECT_EQ(made->inputs_from, "generated as `assay run` does by default");
}

TEST_F(ReproPlanTest, WithoutInputsNoEngineRuns) {
  model_ = model::parse_text(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (seq(float[2]) x) => (float[2] y) { i = Constant<value_int = 0>() y = SequenceAt(x, i) })")
               .value();
  const auto made = plan(tensor::NamedTensors{});
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_THAT(made->engines, IsEmpty());
  EXPECT_THAT(made->inputs_from, HasSubstr("none: "));
}

}  // namespace
}  // namespace assay::report
