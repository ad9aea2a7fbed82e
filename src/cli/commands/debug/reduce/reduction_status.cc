// A check may take minutes, so a separate thread shows the elapsed time.
#include "cli/commands/debug/reduce/reduction_status.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/counted.h"
#include "base/seconds.h"

namespace assay::cli {
namespace {

constexpr double kLonger = 10;  // times as long as any check before: a check that seems to hang

std::string describe_time(double seconds) {
  const auto whole = static_cast<long>(seconds);
  const long hours = whole / 3600, minutes = whole / 60 % 60;
  return hours > 0 ? fmt::format("{}:{:02}:{:02}", hours, minutes, whole % 60)
                   : fmt::format("{}:{:02}", minutes, whole % 60);
}

}  // namespace

std::string describe(const reduce::Progress& progress, double seconds) {
  std::string text = fmt::format("{}: {} left, {}", progress.pass,
                                 progress.nodes_left ? base::counted(*progress.nodes_left, "node") : "all nodes",
                                 base::counted(progress.checks, "check"));
  if (progress.earlier > 0) text += " and " + base::counted(progress.earlier, "earlier verdict");
  if (progress.checks > 0 && seconds > 0) text += fmt::format(", {:.1f} a second", progress.checks / seconds);
  return text + ", " + describe_time(seconds);
}

ReductionStatus::ReductionStatus(base::Log& log, std::string advice, Intervals intervals)
    : log_(log),
      advice_(std::move(advice)),
      intervals_(intervals),
      redraws_(log.shows_status()),
      thread_([this](const std::stop_token& ending) { keep_informing(ending); }) {}

ReductionStatus::~ReductionStatus() {
  thread_.request_stop();
  thread_.join();
  if (redraws_) log_.show_status("");
}

void ReductionStatus::update(const reduce::Progress& progress) {
  const std::lock_guard lock(mutex_);
  progress_ = progress;
  changed_ = Clock::now();
  if (progress.ended) longest_s_ = std::max(longest_s_, progress.ended->seconds);
  if (progress.is_smaller) reported_ = Clock::now();
  const bool is_first = !std::exchange(has_begun_, true);
  if (redraws_ && (is_first || progress.is_smaller)) log_.show_status(text());
  ending_or_changed_.notify_one();  // patience may end now
}

std::string ReductionStatus::text() const {
  return describe(progress_, base::seconds_since(start_));
}

// How long the first check should take isn't known, so it isn't suspected. After a verdict no check runs: the next
// candidate is being built, which can take long if an engine computes values for it.
ReductionStatus::Clock::time_point ReductionStatus::end_of_patience() const {
  if (advice_.empty() || longest_s_ <= 0 || progress_.ended) return Clock::time_point::max();
  return changed_ + std::max<Clock::duration>(intervals_.patience, base::to_duration(kLonger * longest_s_));
}

void ReductionStatus::warn_of_hang() {
  log_.warning("There has been no verdict for {}, and no check took longer than {:.1f} s before. {}",
               describe_time(base::seconds_since(changed_)), longest_s_, std::exchange(advice_, {}));
}

void ReductionStatus::keep_informing(const std::stop_token& ending) {
  std::unique_lock lock(mutex_);
  for (;;) {
    const Clock::time_point next = redraws_ ? Clock::now() + intervals_.redraw : reported_ + intervals_.silence;
    const Clock::time_point wake = std::min(next, end_of_patience());
    ending_or_changed_.wait_until(lock, ending, wake, [&] { return end_of_patience() < wake; });
    if (ending.stop_requested()) return;
    if (Clock::now() >= end_of_patience()) warn_of_hang();
    if (redraws_) {
      if (has_begun_) log_.show_status(text());
    } else if (Clock::now() >= reported_ + intervals_.silence) {
      if (has_begun_) log_.info("{}", text());
      reported_ = Clock::now();
    }
  }
}

}  // namespace assay::cli
