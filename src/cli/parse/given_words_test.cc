#include "cli/parse/given_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/options/compare_options.h"
#include "cli/options/engine_options.h"

namespace assay::cli {
namespace {

using testing::ElementsAre;

TEST(GivenWords, AreThoseOfTheGroups) {
  CLI::App app;
  EngineOptions engines;
  ComparisonOptions comparison;
  engines.add_to(app);
  comparison.add_to(app);
  app.parse("--onnxrt=slow:threads=1 --python my.py --onnxrt --atol 1 y:2 --threads 3 --threads 4 --rtol 5");
  EXPECT_THAT(given_words(app, {"Runners"}), ElementsAre("--onnxrt=slow:threads=1", "--python", "my.py", "--onnxrt"));
  EXPECT_THAT(given_words(app, {"ONNX Runtime"}), ElementsAre("--threads", "3", "--threads", "4"));
  EXPECT_THAT(given_words(app, {"Comparison: simple"}), ElementsAre("--atol", "1", "y:2", "--rtol", "5"));
}

}  // namespace
}  // namespace assay::cli
