#include "cli/terminal/console_log.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <sstream>
#include <string>

#include "base/files.h"
#include "base/temp_dir.h"

namespace assay::cli {
namespace {

using base::Level;
using testing::AllOf;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

class ConsoleLogTest : public testing::Test {
 protected:
  std::unique_ptr<base::Log> log(const LogOptions& options, const Terminal& terminal = {}) {
    return *make_console_log(options, terminal, out_, err_);
  }
  std::ostringstream out_;
  std::ostringstream err_;
};

TEST_F(ConsoleLogTest, LineInfoNamesTheFileAndTheLine) {
  log({.line_info = true})->info("it is {}", "so");
  EXPECT_THAT(out_.str(), MatchesRegex("\\[I\\] \\[cli/terminal/console_log_test\\.cc:[0-9]+\\] it is so\n"));
}

TEST_F(ConsoleLogTest, TheLongestPathDecidesTheLevel) {
  const auto quiet = log({.least = Level::verbose, .paths = {{"cli", Level::error}, {"cl", Level::ultra_verbose}}});
  quiet->warning("hidden");
  quiet->error("shown");
  EXPECT_EQ(out_.str(), "[E] shown\n");
  out_.str({});
  const auto mixed = log(
      {.least = Level::error, .paths = {{"cli/terminal/console_log_test.cc", Level::verbose}, {"cli", Level::error}}});
  EXPECT_TRUE(mixed->shows(Level::verbose));
  mixed->verbose("shown");
  mixed->log(Level::extra_verbose, "hidden");
  EXPECT_EQ(out_.str(), "[V] shown\n");
}

TEST_F(ConsoleLogTest, OtherFilesKeepTheGeneralLevel) {
  const auto log = this->log({.least = Level::warning, .paths = {{"reduce", Level::verbose}}});
  log->info("hidden");
  log->warning("shown");
  EXPECT_EQ(out_.str(), "[W] shown\n");
}

TEST_F(ConsoleLogTest, MessagesCannotControlTheTerminal) {
  const base::TempDir folder = base::TempDir::create().value();
  const std::filesystem::path file = folder.path() / "a.log";
  const std::string message = "Output:\n\x1b[2J\x1b[31mred\x1b]0;title\a 5 %\r10 %";
  log({.file = file})->info("{}", message);
  EXPECT_EQ(out_.str(), "[I] Output:\nred 5 %\n10 %\n");
  EXPECT_EQ(base::read_file(file).value(), "[I] " + message + "\n") << "the file has it as it was";
  out_.str({});
  log({.colors = true})->warning("{}", message);
  EXPECT_EQ(out_.str(), "\033[33m[W] Output:\nred 5 %\n10 %\033[0m\n");
}

TEST_F(ConsoleLogTest, MessagesStandAboveTheStatus) {
  const auto log = this->log({}, {.redraws = true});
  EXPECT_TRUE(log->shows_status());
  log->show_status("half");
  log->info("message");
  log->show_status("done");
  log->show_status("");
  EXPECT_EQ(out_.str(), "\rhalf\033[K\r\033[K[I] message\n\rhalf\033[K\rdone\033[K\r\033[K");
}

TEST_F(ConsoleLogTest, TheStatusIsCutBetweenLettersAndStaysOnItsLine) {
  const auto log = this->log({}, {.redraws = true});
  std::string long_name, shown;
  for (int i = 0; i < 100; ++i) long_name += "\u00e9";
  for (int i = 0; i < 79; ++i) shown += "\u00e9";  // of 80 columns
  log->show_status(long_name);
  log->show_status("a\tb");
  EXPECT_EQ(out_.str(), "\r" + shown + "\033[K\ra b\033[K");
}

TEST_F(ConsoleLogTest, OnlyTerminalsGetColours) {
  const auto folder = base::TempDir::create();
  ASSERT_TRUE(folder);
  const std::filesystem::path file = folder->path() / "log.txt";
  const auto log = this->log({.colors = true, .file = file});
  log->error("bad");
  log->log(Level::critical, "end");
  EXPECT_EQ(out_.str(), "\033[31m[E] bad\033[0m\n");
  EXPECT_EQ(err_.str(), "[!] end\n");
  EXPECT_EQ(base::read_file(file).value(), "[E] bad\n[!] end\n");
}

TEST_F(ConsoleLogTest, WarnsOnceIfTheLogFileCannotBeWritten) {
  const auto log = this->log({.file = "/dev/full"});
  log->info("one");
  log->info("two");
  EXPECT_EQ(out_.str(),
            "[I] one\n[W] cannot write the log file: No space left on device (in /dev/full). It ends here\n[I] two\n");
}

TEST_F(ConsoleLogTest, TheStatusIsForTerminalsAndPatientReadersOnly) {
  EXPECT_FALSE(log({})->shows_status());
  EXPECT_FALSE(log({.least = Level::start}, {.redraws = true})->shows_status());
  EXPECT_FALSE(log({.silent = true}, {.redraws = true})->shows_status());
  log({})->show_status("half");
  EXPECT_EQ(out_.str(), "");
}

}  // namespace
}  // namespace assay::cli
