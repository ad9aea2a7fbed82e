#include "cli/terminal/step_progress.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

#include "base/seconds.h"

namespace assay::cli {
namespace {

using report::Mark;

constexpr std::array<const char*, 4> kSpinner = {"|", "/", "-", "\\"};

const char* symbol(Mark mark) {
  switch (mark) {
    case Mark::good:
      return "✓";
    case Mark::bad:
      return "✗";
    case Mark::note:
      return "!";
    case Mark::skipped:
      return "-";
    case Mark::unknown:
      return "?";
  }
  return "?";
}

}  // namespace

StepProgress::StepProgress(base::Log& log, const std::filesystem::path& file, Intervals intervals)
    : log_(log),
      intervals_(intervals),
      file_(file, std::ios::app),
      thread_([this](const std::stop_token& ending) { keep_drawing(ending); }) {}

StepProgress::~StepProgress() {
  thread_.request_stop();
  thread_.join();
  log_.show_status("");
}

void StepProgress::begin(std::string_view question) {
  const std::lock_guard lock(mutex_);
  question_ = question;
  now_.clear();
  start_ = logged_ = Clock::now();
  file_ << "== " << question << std::endl;
  draw();
}

void StepProgress::end(const diagnose::Step& step) {
  {
    const std::lock_guard lock(mutex_);
    question_.clear();
    log_.show_status("");
    file_ << "-- " << step.answer.answer << std::endl;
  }
  const std::string time = std::isfinite(step.answer.seconds) ? fmt::format(" ({:.1f} s)", step.answer.seconds) : "";
  log_.info("{} {:<27}{}{}", symbol(step.answer.mark), step.answer.question, step.answer.answer, time);
}

void StepProgress::detail(std::string_view line) {
  const std::lock_guard lock(mutex_);
  file_ << line << std::endl;
  now_ = line.substr(0, line.find('\n'));
}

void StepProgress::draw() {
  if (question_.empty() || !log_.shows_status()) return;
  const double seconds = base::seconds_since(start_);
  log_.show_status(fmt::format("{} {:<27}{:.0f} s  {}", kSpinner[turn_++ % kSpinner.size()], question_, seconds, now_));
}

void StepProgress::break_silence() {
  if (question_.empty() || log_.shows_status() || Clock::now() < logged_ + intervals_.silence) return;
  log_.info("... {} {:.0f} s{}{}", question_, base::seconds_since(start_), now_.empty() ? "" : ": ", now_);
  logged_ = Clock::now();
}

void StepProgress::keep_drawing(const std::stop_token& ending) {
  std::unique_lock lock(mutex_);
  while (!ending.stop_requested()) {
    draw();
    break_silence();
    ending_.wait_for(lock, ending, intervals_.redraw, [] { return false; });
  }
}

}  // namespace assay::cli
