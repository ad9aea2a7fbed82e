// Times models in the fake worker, whose model files are orders to misbehave.
#include "tune/time_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/stop.h"
#include "tests/support/paths.h"

namespace assay::tune {
namespace {

using testing::HasSubstr;

class TimeModel : public testing::Test {
 protected:
  base::Expected<ModelTimes> time(const std::string& order) {
    run::EngineSetup engine{.runner = "fake", .engine = "Fake", .spec = {"fake", {}, {}}, .limits = limits_};
    return time_model(engine, worker::ModelBytes{tensor::Buffer::own(std::string(order)), {}}, plan_, pool_, log_);
  }
  // Returns the error of a model that can't be timed.
  base::Error error(const std::string& order) {
    const auto found = time(order);
    EXPECT_FALSE(found) << order;
    return found ? base::Error() : found.error();
  }

  TimingPlan plan_{.warm_up = 2,
                   .runs = 7,
                   .inputs = [this](std::span<const tensor::TensorSpec> ports) -> base::Expected<tensor::NamedTensors> {
                     ++asked_;
                     EXPECT_EQ(ports.size(), 1U);
                     tensor::NamedTensors inputs;
                     inputs.set("x", tensor::Tensor::of<float>(tensor::ElementType::float32, {1}, {1}));
                     return inputs;
                   }};
  int asked_ = 0;
  worker::Limits limits_;
  base::Stop stop_;
  worker::Pool pool_{{test::fakes_dir(), 1}, stop_};
  base::SilentLog log_;
};

TEST_F(TimeModel, MeasuresSeveralRunsAfterThoseToWarmUp) {
  const auto found = time("works");
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_EQ(found->times.iterations, 7U);
  EXPECT_LE(found->times.lower_quartile, found->times.upper_quartile);
  EXPECT_GT(found->load_s, 0);
  EXPECT_EQ(asked_, 1);
}

TEST_F(TimeModel, SaysHowAnEngineFailed) {
  for (const auto& [order, words] :
       {std::pair{"load fail", "failed while loading"}, std::pair{"load segfault", "signal 11"},
        std::pair{"run fail", "failed while running"}, std::pair{"run exit42", "exited with status 42"}}) {
    const base::Error failed = error(order);
    EXPECT_EQ(failed.kind, base::ErrorKind::engine) << order;
    EXPECT_THAT(failed.message(), HasSubstr(words)) << order;
    EXPECT_TRUE(time("works")) << "after " << order;
  }
  limits_.time_s = 0.5;
  for (const char* order : {"load hang", "run hang"}) {
    EXPECT_EQ(error(order).kind, base::ErrorKind::engine) << order;
    EXPECT_TRUE(time("works")) << "after " << order;
  }
}

TEST_F(TimeModel, AStopIsAnInterruption) {
  stop_.request();
  EXPECT_EQ(error("works").kind, base::ErrorKind::interrupted);
}

}  // namespace
}  // namespace assay::tune
