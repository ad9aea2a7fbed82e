// The interface through which rooms log. The CLI decides what is shown and how; a room gets a Log and never writes to a
// stream itself.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace assay::base {

// In increasing order of importance, with the names that --verbosity takes.
enum class Level {
  ultra_verbose,
  super_verbose,
  extra_verbose,
  verbose,
  info,
  start,
  finish,
  warning,
  error,
  critical
};

class Log {
 public:
  virtual ~Log() = default;

  // Returns false if messages of this level are discarded; callers then needn't build them.
  [[nodiscard]] virtual bool shows(Level level) const = 0;
  // Logs one message, which may have several lines. Thread-safe.
  virtual void write(Level level, std::string_view message) = 0;

  template <class... Args>
  void log(Level level, fmt::format_string<Args...> format, Args&&... args) {
    if (shows(level)) write(level, fmt::format(format, std::forward<Args>(args)...));
  }
  template <class... Args>
  void verbose(fmt::format_string<Args...> format, Args&&... args) {
    log(Level::verbose, format, std::forward<Args>(args)...);
  }
  template <class... Args>
  void info(fmt::format_string<Args...> format, Args&&... args) {
    log(Level::info, format, std::forward<Args>(args)...);
  }
  template <class... Args>
  void warning(fmt::format_string<Args...> format, Args&&... args) {
    log(Level::warning, format, std::forward<Args>(args)...);
  }
  template <class... Args>
  void error(fmt::format_string<Args...> format, Args&&... args) {
    log(Level::error, format, std::forward<Args>(args)...);
  }
};

// Discards everything. For tests and for callers that don't want messages.
class SilentLog final : public Log {
 public:
  [[nodiscard]] bool shows(Level) const override { return false; }
  void write(Level, std::string_view) override {}
};

}  // namespace assay::base
