#include "cli/commands/run/run_settings.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/temp_dir.h"
#include "cli/context/built_installation_test_support.h"
#include "tests/support/paths.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;

class RunSettings : public testing::Test {
 protected:
  Installation installation_ = built_installation();
  base::SilentLog log_;
  std::ostringstream out_;
  base::Stop stop_;
  worker::Pool pool_{{test::workers_dir()}, stop_};
  Context context_{log_, out_, stop_, pool_, installation_};
};

// The check of a reduction is such a command line. Its inputs come from its own script, in its own interpreter.
TEST_F(RunSettings, ScriptsRunInTheInterpreterThatTheCommandNames) {
  const base::TempDir dir = base::TempDir::create().value();
  const fs::path script = dir.path() / "data.py", interpreter = dir.path() / "named";
  ASSERT_TRUE(base::write_file(script, "def load_data(): yield {}\n"));
  ASSERT_TRUE(base::write_file(interpreter, "#!/bin/sh\n: > \"$0.called\"\nexit 1\n"));
  fs::permissions(interpreter, fs::perms::owner_all);

  const std::vector<std::string> check = {installation_.executable.string(),
                                          "run",
                                          "--data-loader-script",
                                          script.string(),
                                          "--python-interpreter",
                                          interpreter.string()};
  EXPECT_FALSE(settings_of_run(check, context_)) << "it yields nothing";
  EXPECT_TRUE(fs::exists(interpreter.string() + ".called"));
}

TEST_F(RunSettings, KnowsPolygraphyAndWhatPythonRuns) {
  const std::vector<std::string> program = {installation_.executable.string()}, polygraphy = {"/opt/bin/polygraphy"};
  const std::vector<std::string> script = {"python3.11", "bin/polygraphy"}, module = {"/opt/bin/python", "-m", "assay"};
  for (std::vector<std::string> command : {program, polygraphy, script, module}) {
    SCOPED_TRACE(testing::PrintToString(command));
    command.insert(command.end(), {"run", "a.onnx", "--input-shapes", "x:[3]"});
    const auto settings = settings_of_run(command, context_);
    ASSERT_TRUE(settings);
    EXPECT_EQ(settings->shapes.at("x").at(0).value, 3);
  }
}

TEST_F(RunSettings, OtherCommandsTellNothing) {
  const std::vector<std::vector<std::string>> others = {{},
                                                        {"python"},
                                                        {"python", "-m", "assay"},
                                                        {"python", "-m", "other", "run", "a.onnx"},
                                                        {"other", "run", "a.onnx"},
                                                        {"polygraphy", "inspect", "model", "a.onnx"}};
  for (const std::vector<std::string>& command : others) {
    EXPECT_FALSE(settings_of_run(command, context_)) << testing::PrintToString(command);
  }
}

}  // namespace
}  // namespace assay::cli
