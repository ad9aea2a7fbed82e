#include "base/wait_status.h"

#include <gmock/gmock.h>

#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace assay::base {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

// Records messages and status lines, and lets a test wait for them.
class WaitingLog final : public Log {
 public:
  explicit WaitingLog(bool on_terminal, bool shows = true) : on_terminal_(on_terminal), shows_(shows) {}
  [[nodiscard]] bool shows(Level) const override { return shows_; }
  void write(Level, std::string_view message) override { add(messages_, message); }
  [[nodiscard]] bool shows_status() const override { return on_terminal_ && shows_; }
  void show_status(std::string_view line) override { add(lines_, line); }

  // Returns the first ones, once there are that many.
  std::vector<std::string> messages(std::size_t count) { return first(messages_, count); }
  std::vector<std::string> lines(std::size_t count) { return first(lines_, count); }

 private:
  void add(std::vector<std::string>& list, std::string_view text) {
    const std::lock_guard lock(mutex_);
    list.emplace_back(text);
    changed_.notify_all();
  }
  std::vector<std::string> first(const std::vector<std::string>& list, std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return list.size() >= count; });
    return list;
  }

  bool on_terminal_, shows_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> messages_, lines_;
};

constexpr WaitStatus::Intervals kQuick = {.look = 1ms, .line_after = 1ms, .message_after = 1ms};
constexpr WaitStatus::Intervals kPatient = {.look = 1ms, .line_after = 1h, .message_after = 1h};

TEST(WaitStatus, RedrawsALineOnATerminalAndErasesItAfterTheWait) {
  WaitingLog log(true);
  WaitStatus status(log, kQuick);
  std::size_t drawn = 0;
  {
    const WaitStatus::Wait wait(status, "onnxrt has been loading the model");
    const auto lines = log.lines(3);
    EXPECT_THAT(lines.front(), StartsWith("onnxrt has been loading the model for 0:"));
    drawn = lines.size();
  }
  EXPECT_EQ(log.lines(drawn + 1).back(), "");
  EXPECT_THAT(log.messages(0), IsEmpty());
}

TEST(WaitStatus, NamesEverythingThatItWaitsFor) {
  WaitingLog log(true);
  WaitStatus status(log, kQuick);
  const WaitStatus::Wait first(status, "a"), second(status, "b");
  for (std::size_t count = 1;; ++count) {
    if (testing::Matches(testing::AllOf(HasSubstr("a for "), HasSubstr("; b for ")))(log.lines(count).back())) break;
  }
}

TEST(WaitStatus, LogsElsewhereThatItStillWaits) {
  WaitingLog log(false);
  WaitStatus status(log, kQuick);
  const WaitStatus::Wait wait(status, "onnxrt has been running the model");
  for (const std::string& message : log.messages(2)) {
    EXPECT_THAT(message, StartsWith("onnxrt has been running the model for 0:"));
  }
  EXPECT_THAT(log.lines(0), IsEmpty());
}

TEST(WaitStatus, SaysNothingOfShortWaits) {
  for (const bool on_terminal : {true, false}) {
    WaitingLog log(on_terminal);
    {
      WaitStatus status(log, kPatient);
      const WaitStatus::Wait wait(status, "onnxrt has been running the model");
    }
    EXPECT_THAT(log.messages(0), IsEmpty());
    EXPECT_THAT(log.lines(0), IsEmpty());
  }
}

TEST(WaitStatus, SaysNothingToASilentLog) {
  WaitingLog log(true, false);
  {
    WaitStatus status(log, kQuick);
    const WaitStatus::Wait wait(status, "onnxrt has been running the model");
  }
  EXPECT_THAT(log.lines(0), IsEmpty());
}

}  // namespace
}  // namespace assay::base
