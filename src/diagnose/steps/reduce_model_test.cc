// Tests the step without a reduction: the command of Assay is a function that only saves a model.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/strings.h"
#include "base/temp_dir.h"
#include "diagnose/steps.h"
#include "model/load.h"
#include "model/save.h"

namespace assay::diagnose {
namespace {

// The check of the reduction starts this program by its path. People see a command that they can type.
TEST(ReduceModel, NamesAssayInTheCheckByItsShortName) {
  const auto folder = base::TempDir::create();
  const auto model = model::parse_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] y) { y = Relu(x) })");
  ASSERT_TRUE(folder && model);
  Case task{.file = "model.onnx", .model = *model};
  task.folder = folder->path();
  task.program = "/a/folder/bin/assay";
  task.quote = [](const std::vector<std::string>& words) { return base::join(words, " "); };
  Facts facts;
  facts.defect_is_official = true;  // the model is invalid, so `check lint` is the check

  base::Stop stop;
  base::SilentLog log;
  worker::Pool pool({.worker_dir = ".", .max_idle = 1}, stop);
  std::vector<std::string> ran;
  StepContext context{.pool = pool, .log = log, .stop = stop, .seconds = 0, .assay = {}};
  context.assay = [&](const std::vector<std::string>& words) {
    ran = words;
    EXPECT_TRUE(model::save(*model, folder->path() / "minimal.onnx"));
    return CommandResult{};
  };
  const auto answer = reduce_model(task, facts, context);
  ASSERT_TRUE(answer) << answer.error().message();
  EXPECT_NE(std::ranges::find(ran, "/a/folder/bin/assay"), ran.end());
  EXPECT_EQ(facts.minimal.check, "assay check lint " + (folder->path() / "minimal.onnx").string());
}

}  // namespace
}  // namespace assay::diagnose
