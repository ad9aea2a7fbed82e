#include "diagnose/fill_case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/temp_dir.h"
#include "data/run_results.h"
#include "model/load.h"

namespace assay::diagnose {
namespace {

using tensor::ElementType;
using tensor::Tensor;
using testing::HasSubstr;

class FillCase : public testing::Test {
 protected:
  // Saves results of these runners, which have one output each, and returns the file.
  std::filesystem::path save(const std::vector<std::string>& runners, const std::string& output) {
    data::RunResults results;
    for (const std::string& runner : runners) {
      data::IterationResult iteration;
      iteration.outputs.set(output, Tensor::of<float>(ElementType::float32, {2}, {1, 2}));
      results.runner(runner).iterations.push_back(std::move(iteration));
    }
    const std::filesystem::path file = folder_.path() / "golden.json";
    EXPECT_TRUE(data::save_run_results(file, results));
    return file;
  }

  base::TempDir folder_ = base::TempDir::create().value();
  model::Model model_ = model::parse_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] y) { y = Relu(x) })")
                            .value();
  Case task_{.model = model_};
  base::SilentLog log_;
};

TEST_F(FillCase, SidesHaveShortNamesAndOpinionsTheLimitsOfTheFirst) {
  run::EngineSetup given{.runner = "mine-runner-N0-11/21/26-02:35:21",
                         .engine = "Mine",
                         .spec = {.kind = "mine", .library = "libmine.so", .options = {}},
                         .limits = {.time_s = 7, .memory_bytes = {}}};
  add_sides(task_, {given}, {}, log_);
  ASSERT_FALSE(task_.sides.empty());
  EXPECT_EQ(task_.sides[0].setup.runner, "mine N0");
  EXPECT_TRUE(task_.sides[0].is_given);
  for (const Side& side : task_.sides) {
    EXPECT_EQ(side.is_given, side.setup.spec.kind == "mine");
    EXPECT_EQ(side.setup.limits.time_s, 7);
  }
}

TEST_F(FillCase, InputsOfAllIterationsFitTheModel) {
  const auto inputs = [](std::int64_t i, auto) -> base::Expected<std::optional<tensor::NamedTensors>> {
    if (i == 2) return std::nullopt;
    tensor::NamedTensors values;
    values.set("x", Tensor::of<double>(ElementType::float64, {1, 2}, {1, static_cast<double>(i)}));
    return values;
  };
  ASSERT_TRUE(add_inputs(task_, inputs, log_));
  ASSERT_EQ(task_.inputs.size(), 2);
  EXPECT_EQ(task_.inputs[1].find("x")->type(), ElementType::float32);
  EXPECT_EQ(task_.inputs[1].find("x")->load<float>(1), 1);
  EXPECT_THAT(task_.misfits,
              testing::ElementsAre(HasSubstr("it is reshaped"), HasSubstr("float64 is cast to float32")));
}

TEST_F(FillCase, NoInputsAreAnError) {
  const auto none = [](std::int64_t, auto) -> base::Expected<std::optional<tensor::NamedTensors>> {
    return std::nullopt;
  };
  const base::Status status = add_inputs(task_, none, log_);
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message(), HasSubstr("there are no inputs"));
}

TEST_F(FillCase, SavedResultsAreThoseOfOneRunnerAndThisModel) {
  ASSERT_TRUE(add_golden(task_, save({"a"}, "y")));
  EXPECT_TRUE(task_.golden && task_.golden_file.is_absolute());
  EXPECT_TRUE(task_.golden_results->iterations.at(0).outputs.contains("y"));
  EXPECT_THAT(add_golden(task_, save({"a", "b"}, "y")).error().message(), HasSubstr("2 runners"));
  EXPECT_THAT(add_golden(task_, save({"a"}, "z")).error().message(), HasSubstr("no output of the model"));
}

}  // namespace
}  // namespace assay::diagnose
