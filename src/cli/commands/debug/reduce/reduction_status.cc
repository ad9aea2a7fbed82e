// A check may take minutes, so a separate thread shows the elapsed time.
#include "cli/commands/debug/reduce/reduction_status.h"

#include <fmt/format.h>

#include <utility>

#include "base/counted.h"
#include "base/seconds.h"

namespace assay::cli {
namespace {

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

ReductionStatus::ReductionStatus(base::Log& log, Intervals intervals)
    : log_(log),
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
  if (progress.is_smaller) reported_ = Clock::now();
  const bool is_first = !std::exchange(has_begun_, true);
  if (redraws_ && (is_first || progress.is_smaller)) log_.show_status(text());
}

std::string ReductionStatus::text() const {
  return describe(progress_, base::seconds_since(start_));
}

void ReductionStatus::keep_informing(const std::stop_token& ending) {
  std::unique_lock lock(mutex_);
  for (;;) {
    const Clock::time_point next = redraws_ ? Clock::now() + intervals_.redraw : reported_ + intervals_.silence;
    ending_.wait_until(lock, ending, next, [] { return false; });
    if (ending.stop_requested()) return;
    if (redraws_) {
      if (has_begun_) log_.show_status(text());
    } else if (Clock::now() >= reported_ + intervals_.silence) {
      if (has_begun_) log_.info("{}", text());
      reported_ = Clock::now();
    }
  }
}

}  // namespace assay::cli
