// Shows how far a diagnosis is: a line for each finished step, and which step runs, for how long, and its latest
// detail: on a terminal in one line below them, elsewhere in a message now and then. All details go to a file.
#pragma once

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

#include "base/error.h"
#include "base/log.h"
#include "diagnose/state.h"

namespace assay::cli {

class StepProgress {
 public:
  struct Intervals {
    std::chrono::milliseconds redraw{200};
    std::chrono::milliseconds silence{30'000};  // without a terminal: of the log, while a step runs
  };
  // `log` must outlive this object. Appends to the file; a file that cannot be written is left out.
  StepProgress(base::Log& log, const std::filesystem::path& file) : StepProgress(log, file, Intervals()) {}
  StepProgress(base::Log& log, const std::filesystem::path& file, Intervals intervals);
  ~StepProgress();
  StepProgress(const StepProgress&) = delete;
  StepProgress& operator=(const StepProgress&) = delete;

  void begin(std::string_view question);
  void end(const diagnose::Step& step);
  // A line of the details; the last one is shown. Thread-safe.
  void detail(std::string_view line);

 private:
  using Clock = std::chrono::steady_clock;
  void keep_drawing(const std::stop_token& ending);
  void draw();
  void break_silence();

  base::Log& log_;
  const Intervals intervals_;
  std::ofstream file_;
  std::mutex mutex_;
  std::condition_variable_any ending_;
  std::string question_, now_;
  Clock::time_point start_;
  Clock::time_point logged_;  // when the log last said something about the step
  std::size_t turn_ = 0;
  std::jthread thread_;  // last, since it uses the others
};

// A log for the rooms that a step calls: every message becomes a detail.
class DetailLog final : public base::Log {
 public:
  explicit DetailLog(StepProgress& progress) : progress_(progress) {}
  [[nodiscard]] bool shows(base::Level level) const override { return level >= base::Level::info; }
  void write(base::Level /*level*/, std::string_view message) override { progress_.detail(message); }

 private:
  StepProgress& progress_;
};

}  // namespace assay::cli
