#include "reduce/judge/check_scripts.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "base/temp_dir.h"

namespace assay::reduce {
namespace {

namespace fs = std::filesystem;

class CheckScripts : public testing::Test {
 protected:
  std::string write(const std::string& name, std::string_view text, bool executable = false) {
    const fs::path path = folder_.path() / name;
    EXPECT_TRUE(base::write_file(path, text));
    fs::permissions(path, fs::perms::owner_exec, executable ? fs::perm_options::add : fs::perm_options::remove);
    return path.string();
  }
  // Returns whether changing a file changes the hash of the command.
  bool notices(const std::string& name, const std::vector<std::string>& command, bool executable = false) {
    write(name, "before", executable);
    const std::string before = hash(command);
    EXPECT_EQ(hash(command), before);
    write(name, "after", executable);
    return hash(command) != before;
  }
  [[nodiscard]] std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  [[nodiscard]] std::string hash(const std::vector<std::string>& command) const {
    return hash_of_scripts(command, std::vector{folder_.path()});
  }

  base::TempDir folder_ = base::TempDir::create().value();
};

TEST_F(CheckScripts, CountByTheirExtensionOrPermission) {
  EXPECT_TRUE(notices("check.py", {"true", path("check.py"), "{model}"}));
  EXPECT_TRUE(notices("check", {"true", path("data.txt"), path("check")}, true));
  write("data.txt", "text");
  EXPECT_FALSE(notices("notes.txt", {path("data.txt"), path("notes.txt")})) << "the check may write it";
}

TEST_F(CheckScripts, CountIfAProgramRunsThem) {
  const std::string program = write("program", "\177ELF and so on", true);
  EXPECT_TRUE(notices("plain", {program, path("plain"), "{model}"}));
  EXPECT_TRUE(notices("plain", {"program", path("plain"), "{model}"})) << "the program is in the search path";
  const std::string script = write("script.sh", "#!/bin/sh", true);
  EXPECT_FALSE(notices("plain", {script, path("plain")})) << "an argument of the script";
}

TEST_F(CheckScripts, CountAfterTheOptionsOfTheProgramThatRunsThem) {
  const std::string program = write("program", "\177ELF and so on", true);
  EXPECT_TRUE(notices("plain", {program, "-u", path("plain"), "{model}"}));
  EXPECT_TRUE(notices("plain", {"unknown", path("plain"), "{model}"})) << "a program that is too large, say";
  EXPECT_FALSE(notices("plain", {program, path("missing"), path("plain")})) << "only the first such word";
}

// If the check's own output counted, a run that was interrupted wouldn't resume.
TEST_F(CheckScripts, DoNotIncludeFilesThatTheCheckWrites) {
  const std::string program = write("program", "\177ELF and so on", true);
  const std::vector<std::vector<std::string>> commands = {
      {"sh", "-c", "true > '" + path("out.txt") + "'; grep x " + path("out.txt")},
      {program, "run", "{model}", path("out.txt")},
      {program, "{model}", path("out.txt")},
      {program, "--save-outputs", "{model}", path("out.txt")}};
  for (const std::vector<std::string>& command : commands) {
    fs::remove(path("out.txt"));
    const std::string before = hash(command);
    write("out.txt", "output");
    EXPECT_EQ(hash(command), before) << command[1];
  }
}

TEST_F(CheckScripts, CountInTheSearchPathAndInsideAWord) {
  EXPECT_TRUE(notices("check", {"check", "{model}"}, true));
  EXPECT_TRUE(notices("check.py", {"sh", "-c", "exec python '" + path("check.py") + "' {model}; true"}));
}

TEST_F(CheckScripts, DoNotIncludeLargeFiles) {
  const std::string large = write("large.sh", std::string((1 << 20) + 1, 'x'));
  const std::string before = hash({large});
  write("large.sh", std::string((1 << 20) + 1, 'y'));
  EXPECT_EQ(hash({large}), before);
  EXPECT_EQ(hash({path("missing.sh")}), hash({path("missing too.sh")}));
}

}  // namespace
}  // namespace assay::reduce
