#include "cli/terminal/step_progress.h"

#include <gmock/gmock.h>

#include <condition_variable>
#include <mutex>
#include <string>
#include <vector>

#include "base/temp_dir.h"

namespace assay::cli {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// Records messages, and lets a test wait for them. It isn't on a terminal.
class WaitingLog final : public base::Log {
 public:
  [[nodiscard]] bool shows(base::Level) const override { return true; }
  void write(base::Level, std::string_view message) override {
    const std::lock_guard lock(mutex_);
    messages_.emplace_back(message);
    changed_.notify_all();
  }
  std::vector<std::string> wait_for(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return messages_.size() >= count; });
    return messages_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> messages_;
};

TEST(StepProgress, SaysWithoutATerminalWhatALongStepDoes) {
  const base::TempDir folder = base::TempDir::create().value();
  WaitingLog log;
  StepProgress progress(log, folder.path() / "log.txt", {.redraw = 1ms, .silence = 1ms});
  progress.begin("What is the minimal case?");
  progress.detail("57 nodes left after 3 checks\nand more");
  const std::size_t before = log.wait_for(0).size();  // messages that may lack the detail, and one that is being made
  const std::string message = log.wait_for(before + 2).back();
  EXPECT_THAT(message, AllOf(StartsWith("... What is the minimal case? "),
                             HasSubstr(" s: 57 nodes left after 3 checks"), Not(HasSubstr("and more"))));
}

}  // namespace
}  // namespace assay::cli
