#include "cli/checks/own_command.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/files.h"
#include "base/temp_dir.h"
#include "cli/context/built_installation_test_support.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;

class OwnCommand : public testing::Test {
 protected:
  base::TempDir dir_ = base::TempDir::create().value();
  Installation installation_ = built_installation();
};

// The command on PATH is a script that starts the program if Assay is installed as a Python package.
TEST_F(OwnCommand, RecognisesTheScriptThatStartsIt) {
  const fs::path script = dir_.path() / "bin" / "assay";
  ASSERT_TRUE(base::write_file(script, "#!/bin/sh\n"));
  EXPECT_FALSE(is_own_command({script.string(), "run"}, installation_));
  installation_.libexec = fs::canonical(dir_.path()) / "lib/python3.11/site-packages/assay/libexec/assay";
  EXPECT_TRUE(is_own_command({script.string(), "run"}, installation_));
  installation_.engines.path = {dir_.path() / "bin"};
  EXPECT_TRUE(is_own_command({"assay", "run"}, installation_));
  EXPECT_FALSE(is_own_command({(dir_.path() / "missing").string(), "run"}, installation_));
}

TEST_F(OwnCommand, RecognisesEveryToolThatStartsNoChecks) {
  for (const char* tool : {"run", "inspect", "check", "convert", "diff", "template"}) {
    EXPECT_TRUE(is_own_command({"assay", tool}, installation_)) << tool;
  }
  for (const char* tool : {"debug", "diagnose", "--help"}) {
    EXPECT_FALSE(is_own_command({"assay", tool}, installation_)) << tool;
  }
}

// Users start Assay by scripts that set up an environment.
TEST_F(OwnCommand, RecognisesAScriptThatStartsThisVersion) {
  const auto script = [this](const std::string& name, const std::string& text) {
    const fs::path path = dir_.path() / name;
    EXPECT_TRUE(base::write_file(path, "#!/bin/sh\n" + text + "\n"));
    fs::permissions(path, fs::perms::owner_all);
    return path.string();
  };
  const std::string program = installation_.executable.string();
  const std::string wrapper = script("assay", "export SOMETHING=1\necho loaded >&2\nexec '" + program + "' \"$@\"");
  EXPECT_TRUE(is_wrapper({wrapper, "run"}, installation_));
  EXPECT_FALSE(is_this_program({wrapper, "run"}, installation_));
  EXPECT_TRUE(is_own_command({wrapper, "run"}, installation_));
  EXPECT_FALSE(is_wrapper({wrapper, "debug"}, installation_));
  EXPECT_FALSE(is_wrapper({program, "run"}, installation_));
  EXPECT_FALSE(is_own_command({script("check", "exec '" + program + "' \"$@\""), "run"}, installation_));
  EXPECT_FALSE(is_own_command({script("old/assay", "echo assay 0.0.1"), "run"}, installation_));
  EXPECT_FALSE(is_own_command({script("broken/assay", "exit 3"), "run"}, installation_));
}

}  // namespace
}  // namespace assay::cli
