#include "run/engine_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tensorrt/encode_settings.h"

namespace assay::run {
namespace {

using testing::ElementsAre;
using testing::FieldsAre;
using testing::IsEmpty;

TEST(EngineFiles, AreThoseThatSettingsAskFor) {
  tensorrt::GivenSettings given;
  given.add("--fp16", {});
  given.add("--save-timing-cache", {"kernels.cache"});
  given.add("--save-engine", {"first.plan"});
  given.add("--save-engine", {"last.plan"});
  EngineSetup engine;
  engine.spec.options = tensorrt::encode_settings(given);
  EXPECT_THAT(engine_files(engine),
              ElementsAre(FieldsAre("the engine", "last.plan"), FieldsAre("the timing cache", "kernels.cache")));
}

TEST(EngineFiles, OfOtherEnginesAreNone) {
  EngineSetup engine;
  engine.spec.options["threads"] = "1";
  EXPECT_THAT(engine_files(engine), IsEmpty());
}

}  // namespace
}  // namespace assay::run
