#include "cli/commands/debug/reduce/reduction_status.h"

#include <gmock/gmock.h>

#include <condition_variable>
#include <mutex>
#include <string>
#include <vector>

namespace assay::cli {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

// Notes messages and lines, and lets a test wait for them.
class WaitingLog final : public base::Log {
 public:
  explicit WaitingLog(bool on_terminal) : on_terminal_(on_terminal) {}
  [[nodiscard]] bool shows(base::Level) const override { return true; }
  void write(base::Level, std::string_view message) override { note(messages_, message); }
  [[nodiscard]] bool shows_status() const override { return on_terminal_; }
  void show_status(std::string_view line) override { note(lines_, line); }

  std::vector<std::string> wait_for_messages(std::size_t count) { return wait_for(messages_, count); }
  std::vector<std::string> wait_for_lines(std::size_t count) { return wait_for(lines_, count); }
  std::vector<std::string> messages() { return wait_for(messages_, 0); }

 private:
  void note(std::vector<std::string>& list, std::string_view text) {
    const std::lock_guard lock(mutex_);
    list.emplace_back(text);
    changed_.notify_all();
  }
  std::vector<std::string> wait_for(const std::vector<std::string>& list, std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return list.size() >= count; });
    return list;
  }

  bool on_terminal_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> messages_;
  std::vector<std::string> lines_;
};

TEST(DescribeProgress, NamesPhaseNodesChecksRateAndTime) {
  EXPECT_EQ(describe({.pass = "prefix"}, 0.5), "prefix: all nodes left, 0 checks, 0:00");
  EXPECT_EQ(describe({.pass = "prefix", .nodes_left = 57, .checks = 38}, 19),
            "prefix: 57 nodes left, 38 checks, 2.0 a second, 0:19");
  EXPECT_EQ(describe({.pass = "prefix", .nodes_left = 1, .checks = 1, .earlier = 2}, 3723),
            "prefix: 1 node left, 1 check and 2 earlier verdicts, 0.0 a second, 1:02:03");
}

TEST(ReductionStatus, RedrawsTheLineAndErasesItAtTheEnd) {
  WaitingLog log(true);
  {
    ReductionStatus status(log, "", {.redraw = 1ms, .silence = 1h});
    status.update({.pass = "prefix", .nodes_left = 5});
    EXPECT_THAT(log.wait_for_lines(3), testing::Each(StartsWith("prefix: 5 nodes left")));
  }
  EXPECT_EQ(log.wait_for_lines(0).back(), "");
  EXPECT_THAT(log.messages(), IsEmpty());
}

TEST(ReductionStatus, BreaksALongSilenceWithoutATerminal) {
  WaitingLog log(false);
  ReductionStatus status(log, "", {.redraw = 1ms, .silence = 1ms});
  status.update({.pass = "prefix", .nodes_left = 5});
  EXPECT_THAT(log.wait_for_messages(2).back(), HasSubstr("prefix: 5 nodes left"));
  EXPECT_THAT(log.wait_for_lines(0), IsEmpty());
}

TEST(ReductionStatus, WarnsOnceOfACheckThatSeemsToHang) {
  for (const bool on_terminal : {false, true}) {
    WaitingLog log(on_terminal);
    ReductionStatus status(log, "Press Ctrl-C", {.redraw = 1ms, .silence = 1h, .patience = 1ms});
    status.update({.pass = "prefix", .ended = reduce::Progress::Ended{.seconds = 1e-6}});
    status.update({.pass = "prefix"});
    EXPECT_THAT(log.wait_for_messages(1).front(),
                testing::MatchesRegex("There has been no verdict for 0:0., and no check took longer than 0.0 s before. "
                                      "Press Ctrl-C"));
    status.update({.pass = "prefix", .is_smaller = true, .ended = reduce::Progress::Ended{.seconds = 1e-6}});
    status.update({.pass = "prefix"});
    EXPECT_THAT(log.messages(), testing::SizeIs(1));
  }
}

// The message comes after a silence, and a hang would have been reported before.
TEST(ReductionStatus, SuspectsNoCheckWithoutAnotherToCompareAndNoneThatIsAsSlowAsOthers) {
  for (const double seconds : {0.0, 3600.0}) {
    WaitingLog log(false);
    ReductionStatus status(log, "Press Ctrl-C", {.redraw = 1ms, .silence = 2ms, .patience = 1ms});
    status.update({.pass = "prefix", .ended = reduce::Progress::Ended{.seconds = seconds}});
    status.update({.pass = "prefix"});
    EXPECT_THAT(log.wait_for_messages(2), testing::Each(StartsWith("prefix")));
  }
}

TEST(ReductionStatus, SuspectsNoCheckWhileACandidateIsBuilt) {
  WaitingLog log(false);
  ReductionStatus status(log, "Press Ctrl-C", {.redraw = 1ms, .silence = 2ms, .patience = 1ms});
  status.update({.pass = "prefix", .ended = reduce::Progress::Ended{.seconds = 1e-6}});
  EXPECT_THAT(log.wait_for_messages(2), testing::Each(StartsWith("prefix")));
}

TEST(ReductionStatus, IsSilentBeforeTheFirstCheck) {
  WaitingLog log(false);
  { const ReductionStatus status(log, "", {.redraw = 1ms, .silence = 1ms}); }
  EXPECT_THAT(log.messages(), IsEmpty());
}

}  // namespace
}  // namespace assay::cli
