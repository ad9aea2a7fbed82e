// The interface through which rooms log. The CLI decides what is shown and how; a room gets a Log and never writes to a
// stream itself.
#pragma once

#include <fmt/format.h>

#include <source_location>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

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

// A format string, and the place in the source code that logs with it.
template <class... Args>
struct LocatedFormat {
  template <class Text>
  consteval LocatedFormat(const Text& text, const std::source_location& here = std::source_location::current())
      : format(text), where(here) {}

  fmt::format_string<Args...> format;
  std::source_location where;
};
template <class... Args>
using LogFormat = LocatedFormat<std::type_identity_t<Args>...>;  // Args are deduced from the arguments alone

class Log {
 public:
  virtual ~Log() = default;

  // Returns false if messages of this level are discarded; callers then needn't build them.
  [[nodiscard]] virtual bool shows(Level level) const = 0;
  // Logs one message, which may have several lines. Thread-safe.
  virtual void write(Level level, std::string_view message) = 0;
  // The same for a message whose place in the source code is known.
  virtual void write_from(const std::source_location& /*where*/, Level level, std::string_view message) {
    write(level, message);
  }

  // Shows a status line below the messages, in place of the previous one; "" removes it. Only a log on a terminal has a
  // status line. Thread-safe.
  virtual void show_status(std::string_view /*line*/) {}
  [[nodiscard]] virtual bool shows_status() const { return false; }

  template <class... Args>
  void log(Level level, LogFormat<Args...> text, Args&&... args) {
    if (shows(level)) write_from(text.where, level, fmt::format(text.format, std::forward<Args>(args)...));
  }
  template <class... Args>
  void verbose(LogFormat<Args...> text, Args&&... args) {
    log(Level::verbose, text, std::forward<Args>(args)...);
  }
  template <class... Args>
  void info(LogFormat<Args...> text, Args&&... args) {
    log(Level::info, text, std::forward<Args>(args)...);
  }
  template <class... Args>
  void warning(LogFormat<Args...> text, Args&&... args) {
    log(Level::warning, text, std::forward<Args>(args)...);
  }
  template <class... Args>
  void error(LogFormat<Args...> text, Args&&... args) {
    log(Level::error, text, std::forward<Args>(args)...);
  }
};

// Discards everything. For tests and for callers that don't want messages.
class SilentLog final : public Log {
 public:
  [[nodiscard]] bool shows(Level) const override { return false; }
  void write(Level, std::string_view) override {}
};

}  // namespace assay::base
