// A thread looks at the waits twice a second. Beginning and ending a wait only takes a lock, so that short waits, such
// as the runs of a small model, cost next to nothing.
#include "base/wait_status.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "base/strings.h"

namespace assay::base {
namespace {

std::string describe(const std::string& what, std::chrono::steady_clock::duration age) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(age).count();
  return fmt::format("{} for {}:{:02}", what, seconds / 60, seconds % 60);
}

}  // namespace

WaitStatus::WaitStatus(Log& log, Intervals intervals) : log_(log), intervals_(intervals), redraws_(log.shows_status()) {
  if (!log_.shows(Level::info)) return;
  thread_ = std::jthread([this](const std::stop_token& ending) { keep_looking(ending); });
}

WaitStatus::~WaitStatus() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
  if (is_drawn_) log_.show_status("");
}

std::uint64_t WaitStatus::begin(std::string what) {
  const std::lock_guard lock(mutex_);
  waits_[++last_id_] = {.what = std::move(what), .since = Clock::now(), .next_message = intervals_.message_after};
  return last_id_;
}

void WaitStatus::end(std::uint64_t id) {
  const std::lock_guard lock(mutex_);
  waits_.erase(id);
  if (waits_.empty() && std::exchange(is_drawn_, false)) log_.show_status("");
}

void WaitStatus::draw() {
  std::vector<std::string> parts;
  for (const auto& [id, wait] : waits_) {
    const Clock::duration age = Clock::now() - wait.since;
    if (age >= intervals_.line_after) parts.push_back(describe(wait.what, age));
  }
  if (parts.empty()) return;
  is_drawn_ = true;
  log_.show_status(join(parts, "; "));
}

void WaitStatus::tell() {
  for (auto& [id, wait] : waits_) {
    const Clock::duration age = Clock::now() - wait.since;
    if (age < wait.next_message) continue;
    log_.info("{}", describe(wait.what, age));
    wait.next_message = 2 * age;
  }
}

void WaitStatus::keep_looking(const std::stop_token& ending) {
  std::unique_lock lock(mutex_);
  while (!ending.stop_requested()) {
    if (redraws_) {
      draw();
    } else {
      tell();
    }
    ending_.wait_for(lock, ending, intervals_.look, [] { return false; });
  }
}

}  // namespace assay::base
