#include "inspect/engine_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/temp_dir.h"
#include "base/test_log.h"
#include "data/run_results.h"
#include "inspect/engine_json.h"
#include "inspect/engine_text.h"

namespace assay::inspect {
namespace {

using testing::HasSubstr;
using testing::Not;

class EngineValues : public testing::Test {
 protected:
  EngineValues() {
    tensorrt::EngineLayer layer;
    layer.name = "sum";
    layer.type = "kgen";
    layer.inputs = {tensor("x")};
    layer.outputs = {tensor("y [profile 1]")};
    engine_.profiles = {{.index = 0, .layers = {layer}, .bindings = {}}};
  }

  static tensorrt::EngineTensor tensor(const char* name) {
    tensorrt::EngineTensor tensor;
    tensor.name = name;
    tensor.shape = {{4}};
    tensor.type = "float32";
    return tensor;
  }

  // Adds the values of saved results with as many iterations. Returns the error's message, or an empty string.
  std::string add(const std::string& tensor, std::size_t iterations) {
    data::RunResults results;
    results.runners.push_back({"trt-runner", {}});
    for (std::size_t i = 0; i < iterations; ++i) {
      data::IterationResult& one = results.runners[0].iterations.emplace_back();
      const std::vector<float> values = {-1, 0, 2, static_cast<float>(3 + i)};
      one.outputs.set(tensor, tensor::Tensor::of(tensor::ElementType::float32, {4}, values));
    }
    const std::string file = (folder_.path() / "results.json").string();
    EXPECT_TRUE(data::save_run_results(file, results));
    const base::Status added = add_values(engine_, file, log_);
    return added ? "" : added.error().message();
  }

  base::TempDir folder_ = base::TempDir::create().value();
  tensorrt::EngineInfo engine_;
  base::test::TestLog log_{base::Level::warning};
};

TEST_F(EngineValues, AreShownWithTheTensors) {
  EXPECT_EQ(add("y", 2), "");
  EXPECT_THAT(log_.text(), HasSubstr("has 2 iterations of trt-runner, of which the first is shown"));
  const DescribeOptions options{.layers = true};
  const std::string text = engine_text(engine_, options);
  EXPECT_THAT(text, HasSubstr("{x [dtype=float32, shape=(4,)]}"));
  EXPECT_THAT(text, HasSubstr("{y [profile 1] [dtype=float32, shape=(4,), min=-1, max=3, mean=1]}"));
  EXPECT_THAT(engine_json(engine_, options), HasSubstr("\"max\": 3.0"));
}

TEST_F(EngineValues, TensorsThatTheEngineLacksAreWarnedAbout) {
  EXPECT_EQ(add("z", 1), "");
  EXPECT_THAT(log_.text(), HasSubstr("No tensor of"));
  EXPECT_THAT(engine_text(engine_, {.layers = true}), Not(HasSubstr("min=")));
}

TEST_F(EngineValues, FilesWithoutResultsAreRefused) {
  EXPECT_THAT(add("y", 0), HasSubstr("there are no results"));
  EXPECT_FALSE(add_values(engine_, folder_.path() / "missing.json", log_));
}

}  // namespace
}  // namespace assay::inspect
