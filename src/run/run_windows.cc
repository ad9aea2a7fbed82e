// Windows wait in a queue. One that fails is replaced by its two halves, so that a single bad tensor is found in a
// logarithmic number of runs. Once it is found, one tensor computed from it is tried as well; if that fails too, all
// others computed from it are dropped untried. Limits on the number of failures prevent a long search if everything
// fails, and there is none if an engine doesn't start.
#include "run/run_windows.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/seconds.h"
#include "base/strings.h"
#include "run/judge_rows.h"
#include "run/plan_windows.h"
#include "run/tensor_sizes.h"
#include "worker/outcome.h"

namespace assay::run {
namespace {

using Names = std::vector<std::string>;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostFailures = 64;  // failed runs before giving up on the rest
constexpr double kSilentFor = 1;           // seconds before progress is reported

std::string describe(const Names& tensors) {
  if (tensors.empty()) return "no tensors";
  return tensors.size() == 1 ? fmt::format("tensor '{}'", tensors.front())
                             : fmt::format("{} tensors, '{}' to '{}'", tensors.size(), tensors.front(), tensors.back());
}

// Returns how many runs may fail, for `count` tensors, before searching for the bad one is hopeless.
std::size_t halvings(std::size_t count) {
  std::size_t steps = 2;
  for (; count > 1; count /= 2) ++steps;
  return steps;
}

class WindowRun {
 public:
  WindowRun(const Windows& windows, const RunPlan& plan, base::Log& log, const base::Stop& stop)
      : windows_(windows), plan_(plan), log_(log), stop_(stop), judge_(plan_, log) {
    for (std::size_t i = 0; i < windows.tensors.size(); ++i) bytes_.emplace(windows.tensors[i], windows.bytes[i]);
    if (!plan.save_inputs) return;
    plan_.save_inputs = [this, &plan](std::int64_t index, const tensor::NamedTensors& inputs) -> base::Status {
      if (index < inputs_saved_) return {};
      inputs_saved_ = index + 1;
      return plan.save_inputs(index, inputs);
    };
  }

  base::Expected<WindowsOutcome> run();

 private:
  void plan_windows();
  // Returns false if the judge wants the whole run to end.
  base::Expected<bool> run_one(Window& window);
  // Splits the rest of a failed window into halves, down to the tensor that causes the failure. Returns false if the
  // judge wants the whole run to end.
  base::Expected<bool> recover(const Window& window, const base::Error& error);
  base::Expected<bool> blame(const Window& window, const base::Error& error);
  // Returns whether the error may come from a single tensor.
  [[nodiscard]] bool is_recoverable(const base::Error& error) const;
  [[nodiscard]] bool is_hopeless() const;
  void drop(const Names& tensors);
  void put_halves(const Window& window);
  [[nodiscard]] std::uint64_t bytes_of_window(const Names& tensors) const;
  [[nodiscard]] bool has_engine(const Names& tensors) const;
  [[nodiscard]] Names waiting() const;
  void show_progress(const Window& window) const;

  const Windows& windows_;
  RunPlan plan_;
  base::Log& log_;
  const base::Stop& stop_;
  RowJudge judge_;
  std::unordered_map<std::string, std::uint64_t> bytes_;
  std::deque<Window> todo_;
  WindowsOutcome outcome_;
  std::optional<base::Error> first_error_;
  std::size_t failures_ = 0;
  std::int64_t inputs_saved_ = 0;
  std::uint64_t bytes_done_ = 0;
  bool answered_ = false;  // some window returned results of engines
  Clock::time_point start_ = Clock::now();
};

std::uint64_t WindowRun::bytes_of_window(const Names& tensors) const {
  std::uint64_t sum = 0;
  for (const std::string& name : tensors) sum += bytes_.at(name);
  return sum;
}

void WindowRun::plan_windows() {
  const std::uint64_t budget = windows_.budget / std::max<std::uint64_t>(windows_.copies, 1);
  const auto ranges = run::plan_windows(windows_.bytes, budget);
  for (const TensorRange& range : ranges) {
    const auto at = [&](std::size_t i) { return windows_.tensors.begin() + static_cast<std::ptrdiff_t>(i); };
    todo_.push_back({.tensors = Names(at(range.begin), at(range.end)), .whole = ranges.size() == 1});
  }
  if (ranges.empty()) todo_.push_back({.tensors = {}, .whole = true});
  if (ranges.size() < 2) return;
  log_.info("Running {} tensors of {} in {} windows: the memory budget of {} holds {} of them at a time{}",
            windows_.tensors.size(), base::format_bytes(bytes_of_window(windows_.tensors)), ranges.size(),
            base::format_bytes(windows_.budget), base::format_bytes(budget),
            windows_.copies > 1 ? fmt::format(", {} times each", windows_.copies) : std::string());
  const std::uint64_t largest = std::ranges::max(windows_.bytes);
  if (largest > budget) {
    log_.warning("The largest tensor takes {}, more than the memory budget allows; it runs alone",
                 base::format_bytes(largest));
  }
}

void WindowRun::show_progress(const Window& window) const {
  if (window.whole) return;
  std::string left;
  const double seconds = base::seconds_since(start_);
  if (bytes_done_ > 0 && seconds > kSilentFor) {
    std::uint64_t to_do = bytes_of_window(window.tensors);
    for (const Window& other : todo_) to_do += bytes_of_window(other.tensors);
    left = fmt::format(" | {:.0f} s, about {:.0f} s left", seconds,
                       seconds * static_cast<double>(to_do) / static_cast<double>(bytes_done_));
  }
  log_.info("Window {} of {} | {} | {}{}", outcome_.windows, outcome_.windows + todo_.size(), describe(window.tensors),
            base::format_bytes(bytes_of_window(window.tensors)), left);
}

base::Expected<bool> WindowRun::run_one(Window& window) {
  outcome_.windows += 1;
  show_progress(window);
  ASSAY_ASSIGN(const Windows::Runners runners, windows_.runners(window));
  const std::uint64_t most = windows_.budget / std::max<std::uint64_t>(windows_.copies, 1);
  bool too_large = false;
  RunPart part{.next = window.first, .partial = !window.whole, .shows_inputs = outcome_.windows == 1};
  if (!window.whole || windows_.always_uses_matcher) part.matcher = &windows_.matcher;
  part.continues = [&](const Row& row) {
    for (const auto& result : row) {
      std::uint64_t sum = 0;
      if (result) {
        for (const auto& [name, tensor] : result->outputs) sum += bytes_of(tensor);
      }
      too_large |= sum > most && !plan_.sequential;
    }
    return !too_large || window.tensors.size() < 2 || window.whole;
  };
  auto outcome = run_part(runners, plan_, part, judge_, log_, stop_);
  if (part.next > window.first) {
    answered_ |= has_engine(window.tensors);
    bytes_done_ += bytes_of_window(window.tensors);
  }
  window.first = part.next;
  if (outcome && *outcome && too_large && window.tensors.size() > 1 && !window.whole) {
    log_.verbose("The window is larger than the memory budget allows; its other iterations run in halves");
    put_halves(window);
  }
  return outcome;
}

void WindowRun::put_halves(const Window& window) {
  const auto middle = window.tensors.begin() + static_cast<std::ptrdiff_t>(window.tensors.size() / 2);
  todo_.push_front({.tensors = Names(middle, window.tensors.end()), .first = window.first});
  todo_.push_front({.tensors = Names(window.tensors.begin(), middle), .first = window.first});
}

bool WindowRun::has_engine(const Names& tensors) const {
  const auto is_saved = [&](const std::string& name) { return windows_.only_saved.contains(name); };
  return tensors.empty() || !std::ranges::all_of(tensors, is_saved);
}

Names WindowRun::waiting() const {
  Names names;
  for (const Window& window : todo_) names.insert(names.end(), window.tensors.begin(), window.tensors.end());
  return names;
}

void WindowRun::drop(const Names& tensors) {
  const std::unordered_set<std::string> dropped(tensors.begin(), tensors.end());
  for (Window& window : todo_) {
    std::erase_if(window.tensors, [&](const std::string& name) { return dropped.contains(name); });
  }
  std::erase_if(todo_, [](const Window& window) { return window.tensors.empty(); });
  outcome_.without.insert(outcome_.without.end(), tensors.begin(), tensors.end());
}

// Handles a tensor that fails by itself. If the first tensor computed from it fails as well, so will all others.
base::Expected<bool> WindowRun::blame(const Window& window, const base::Error& error) {
  const std::string& tensor = window.tensors.front();
  log_.error("Tensor '{}' is unavailable: {}", tensor, error.message());
  outcome_.without.push_back(tensor);
  const Names behind = windows_.behind ? windows_.behind(tensor, waiting()) : Names();
  if (behind.empty()) return true;
  Window probe{.tensors = {behind.front()}};
  for (Window& other : todo_) {
    if (std::erase(other.tensors, behind.front()) > 0) probe.first = other.first;
  }
  std::erase_if(todo_, [](const Window& other) { return other.tensors.empty(); });
  const auto found = run_one(probe);
  if (found) return *found;
  if (found.error().kind != base::ErrorKind::engine) return base::fail(found.error());
  failures_ += 1;
  log_.error("Everything computed from it is unavailable, too: {}", describe(behind));
  outcome_.without.push_back(behind.front());
  drop({behind.begin() + 1, behind.end()});
  return true;
}

base::Expected<bool> WindowRun::recover(const Window& window, const base::Error& error) {
  failures_ += 1;
  if (!first_error_) first_error_ = error;
  if (window.tensors.size() == 1) return blame(window, error);
  log_.error("Failed with {}: {}", describe(window.tensors), error.message());
  log_.info("Looking for the tensor that causes the failure");
  put_halves(window);
  return true;
}

bool WindowRun::is_recoverable(const base::Error& error) const {
  if (error.kind != base::ErrorKind::engine || windows_.tensors.size() < 2) return false;
  return answered_ || !worker::failed_at_start(error);
}

bool WindowRun::is_hopeless() const {
  return failures_ > kMostFailures || (!answered_ && failures_ > halvings(windows_.tensors.size()));
}

base::Expected<WindowsOutcome> WindowRun::run() {
  plan_windows();
  while (!todo_.empty()) {
    Window window = std::move(todo_.front());
    todo_.pop_front();
    auto outcome = run_one(window);
    const bool failed = !outcome;
    if (failed) {
      const base::Error& error = outcome.error();
      if (!is_recoverable(error)) return base::fail(error);
      outcome = recover(window, base::Error(error));
      if (!outcome) return base::fail(outcome.error());
    }
    if (!*outcome && plan_.compare.fail_fast) break;
    if (!failed) continue;
    if (!is_hopeless() || todo_.empty()) continue;
    if (!answered_) break;
    log_.error("{} runs failed; the remaining tensors are not tried: {}", failures_, describe(waiting()));
    drop(waiting());
  }
  if (!answered_ && first_error_) return base::fail(*first_error_);
  ASSAY_ASSIGN(outcome_.passed, judge_.summarize());
  if (!outcome_.without.empty()) {
    log_.error("The run fails, because an engine returned no values of {}", describe(outcome_.without));
  } else if (first_error_) {
    log_.warning(
        "No tensor alone causes the failure: in smaller runs, the engine returned them all. The model may still fail "
        "as a whole; run it without marked tensors, too");
  }
  return outcome_;
}

}  // namespace

base::Expected<WindowsOutcome> run_windows(const Windows& windows, const RunPlan& plan, base::Log& log,
                                           const base::Stop& stop) {
  return WindowRun(windows, plan, log, stop).run();
}

}  // namespace assay::run
