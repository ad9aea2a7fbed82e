#include "report/run_repro_plan.h"

#include <gtest/gtest.h>

#include "base/stop.h"

namespace assay::report {
namespace {

TEST(VersionText, SaysThatAnEngineDoesNotStart) {
  base::Stop stop;
  worker::Pool pool({.worker_dir = "/nowhere", .max_idle = 1}, stop);
  const run::EngineSetup engine{
      .runner = "r", .engine = "e", .spec = {.kind = "python", .library = "/bin/python3", .options = {}}, .limits = {}};
  EXPECT_EQ(version_text(engine, pool), "doesn't start (python3)");
}

}  // namespace
}  // namespace assay::report
