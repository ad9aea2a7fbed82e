#include "cli/commands/run/run_settings.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/temp_dir.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;

// The check of a reduction is such a command line. Its inputs come from its own script, in its own interpreter.
TEST(RunSettings, ScriptsRunInTheInterpreterThatTheCommandNames) {
  const base::TempDir dir = base::TempDir::create().value();
  const fs::path script = dir.path() / "data.py", interpreter = dir.path() / "named";
  ASSERT_TRUE(base::write_file(script, "def load_data(): yield {}\n"));
  ASSERT_TRUE(base::write_file(interpreter, "#!/bin/sh\n: > \"$0.called\"\nexit 1\n"));
  fs::permissions(interpreter, fs::perms::owner_all);
  Installation installation = find_installation();
  installation.executable = fs::path(ASSAY_BINARY_DIR) / "bin" / "assay";
  base::SilentLog log;
  std::ostringstream out;
  base::Stop stop;
  worker::Pool pool{{fs::path(ASSAY_BINARY_DIR) / "libexec" / "assay"}, stop};
  Context context{log, out, stop, pool, installation};

  const std::vector<std::string> check = {installation.executable.string(), "run",
                                          "--data-loader-script",           script.string(),
                                          "--python-interpreter",           interpreter.string()};
  EXPECT_FALSE(settings_of_run(check, context)) << "it yields nothing";
  EXPECT_TRUE(fs::exists(interpreter.string() + ".called"));
}

}  // namespace
}  // namespace assay::cli
