// Where the rooms report what they are doing. The CLI decides what is shown and how; a library is given a Log and never
// writes to a stream of its own.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace assay::base {

// In rising order of importance, as on the command line (--verbosity).
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

  // False where a message of this level would be thrown away, so that building it can be saved.
  [[nodiscard]] virtual bool shows(Level level) const = 0;
  // Takes one message, which may have several lines. May be called from several threads.
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

// Shows nothing. For tests and for callers that do not want to hear.
class SilentLog final : public Log {
 public:
  [[nodiscard]] bool shows(Level) const override { return false; }
  void write(Level, std::string_view) override {}
};

}  // namespace assay::base
