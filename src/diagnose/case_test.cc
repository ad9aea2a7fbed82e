#include "diagnose/case.h"

#include <gtest/gtest.h>

namespace assay::diagnose {
namespace {

std::optional<double> limit_of(double budget, double part, std::optional<double> own = {}) {
  base::Stop stop;
  base::SilentLog log;
  worker::Pool pool({.worker_dir = ".", .max_idle = 1}, stop);
  const StepContext context{.pool = pool, .log = log, .stop = stop, .seconds = budget, .assay = {}};
  run::EngineSetup engine;
  engine.limits.time_s = own;
  return context.limited(engine, part).limits.time_s;
}

TEST(StepContext, LeavesTimeForOtherEngines) {
  const auto limit = limit_of(1000, 0.5);
  ASSERT_TRUE(limit);
  EXPECT_LE(*limit, 500);
  EXPECT_GT(*limit, 100);
}

TEST(StepContext, LimitsNoEngineToLessThanItTakesToStart) {
  EXPECT_EQ(limit_of(50, 0.001), 3);
  EXPECT_EQ(limit_of(4, 0.5), std::nullopt);
}

TEST(StepContext, KeepsTheLimitOfTheUser) {
  EXPECT_EQ(limit_of(1000, 0.5, 7), 7);
  EXPECT_EQ(limit_of(0, 0.5), std::nullopt);
}

TEST(OptionsFor, AreThoseOfTheTableOfEngines) {
  using Options = std::map<std::string, std::string>;
  run::EngineSetup openvino;
  openvino.spec.kind = "openvino";
  EXPECT_EQ(options_for(openvino, &backend::EngineRow::one_thread), (Options{{"config.INFERENCE_NUM_THREADS", "1"}}));
  EXPECT_EQ(options_for(openvino, &backend::EngineRow::exact), Options());
  run::EngineSetup unknown;
  unknown.spec.kind = "unknown";
  EXPECT_EQ(options_for(unknown, &backend::EngineRow::one_thread), Options());
}

}  // namespace
}  // namespace assay::diagnose
