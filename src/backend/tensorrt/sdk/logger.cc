#include "backend/tensorrt/sdk/logger.h"

#include <cstdio>
#include <utility>

#include "backend/serve/check_memory.h"
#include "base/strings.h"

namespace assay::backend {
namespace {

using base::Level;
using Severity = nvinfer1::ILogger::Severity;

Level level_of(Severity severity) {
  if (severity <= Severity::kERROR) return Level::error;
  return severity == Severity::kWARNING ? Level::warning : Level::verbose;
}

}  // namespace

void TensorRtLogger::log(Severity severity, const char* message) noexcept {
  if (severity > Severity::kINFO) return;
  const std::scoped_lock lock(mutex_);
  if (silences_ > 0) return;
  if (severity <= Severity::kWARNING) std::fprintf(stderr, "TensorRT: %s\n", message);
  const auto reason = reason_of_skipped_tactic(message);
  if (severity <= Severity::kERROR || reason) errors_.add(message);
  if (reason) {
    // Each tactic has a number of its own, but the reasons are few.
    keep(severity <= Severity::kWARNING ? Level::warning : Level::verbose, message, std::string(*reason));
  } else {
    keep(level_of(severity), std::string(message).append(advice_about(message)), message);
  }
}

void TensorRtLogger::keep(Level level, std::string text, std::string what) {
  constexpr std::size_t kMost = 1000;  // for a model, so that no answer grows without limit
  if (known_.size() > kMost || !known_.insert(std::move(what)).second) return;
  if (known_.size() > kMost) {
    level = Level::warning;
    text = "further messages are left out";
  }
  messages_.push_back({level, std::move(text)});
}

void TensorRtLogger::clear() {
  const std::scoped_lock lock(mutex_);
  errors_.clear();
}

worker::Refused TensorRtLogger::refused(worker::Phase phase, const std::string& otherwise) {
  const std::scoped_lock lock(mutex_);
  std::string message = errors_.empty() ? otherwise : base::join(errors_.texts(), "; ");
  message += advice_about(message);
  const bool out_of_memory = is_out_of_memory(message);
  return {{phase, 0, std::move(message)}, out_of_memory};
}

worker::Refused TensorRtLogger::because(worker::Phase phase, const std::string& what) {
  worker::Refused refused = this->refused(phase, what);
  if (refused.failed.message != what) refused.failed.message.insert(0, what + ": ");
  return refused;
}

Answer<void> TensorRtLogger::check(worker::Phase phase) {
  {
    const std::scoped_lock lock(mutex_);
    if (errors_.empty()) return {};
  }
  return tl::unexpected(refused(phase, ""));
}

void TensorRtLogger::change_silences(int by) {
  const std::scoped_lock lock(mutex_);
  silences_ += by;
}

void TensorRtLogger::start_messages() {
  const std::scoped_lock lock(mutex_);
  known_.clear();
  messages_.clear();
}

void TensorRtLogger::add(Level level, std::string text) {
  const std::scoped_lock lock(mutex_);
  keep(level, text, text);
}

std::vector<worker::EngineMessage> TensorRtLogger::take_messages() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(messages_, {});
}

}  // namespace assay::backend
