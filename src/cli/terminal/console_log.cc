// spdlog does the locking, the time stamps and the file. This file adds the prefixes and colours of the levels, filters
// messages by the file that logs them, and keeps the status line below the messages: each message erases it first and
// draws it again afterwards.
#include "cli/terminal/console_log.h"

#include <fcntl.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <mutex>
#include <source_location>
#include <utility>

#include "base/strings.h"
#include "base/without_escapes.h"
#include "cli/terminal/wrap_text.h"
#include "worker/file_descriptor.h"

namespace assay::cli {
namespace {

struct LevelStyle {
  std::string_view prefix;
  std::string_view color;  // ANSI
};

// One row for each base::Level, in its order.
constexpr std::array<LevelStyle, 10> kStyles = {{{"[U]", "\033[90m"},
                                                 {"[S]", "\033[90m"},
                                                 {"[X]", "\033[90m"},
                                                 {"[V]", "\033[90m"},
                                                 {"[I]", ""},
                                                 {"[I]", "\033[36m"},
                                                 {"[I]", "\033[32m"},
                                                 {"[W]", "\033[33m"},
                                                 {"[E]", "\033[31m"},
                                                 {"[!]", "\033[1;31m"}}};

constexpr std::string_view kErase = "\r\033[K";  // to the start of the line, and erase the line

// "/any/folder/src/reduce/stages.cc" -> "reduce/stages.cc"
std::string_view path_in_source(const std::source_location& where) {
  const std::string_view path = where.file_name();
  constexpr std::string_view kSource = "src/";
  const std::size_t at = path.rfind(kSource);
  return at == std::string_view::npos ? path : path.substr(at + kSource.size());
}

bool is_in(std::string_view file, std::string_view path) {
  return file == path || (file.starts_with(path) && (path.ends_with('/') || file[path.size()] == '/'));
}

class ConsoleLog final : public base::Log {
 public:
  // `file` may be null.
  ConsoleLog(const LogOptions& options, const Terminal& terminal, std::ostream& out, std::ostream& err,
             const Terminal& err_terminal, spdlog::sink_ptr file)
      : options_(options),
        terminal_(terminal),
        err_colors_(err_terminal.colors),
        stream_(out),
        out_("out", std::make_shared<spdlog::sinks::ostream_sink_mt>(out)),
        err_("err", std::make_shared<spdlog::sinks::ostream_sink_mt>(err)) {
    if (file != nullptr) {
      file_ = std::make_unique<spdlog::logger>("file", std::move(file));
      file_->set_error_handler([this](const std::string& message) { file_error_ = message; });
    }
    for (spdlog::logger* logger : {&out_, &err_, file_.get()}) {
      if (logger == nullptr) continue;
      logger->set_pattern(options.timestamp ? "[%Y-%m-%d %H:%M:%S.%e]%v" : "%v");
      logger->flush_on(spdlog::level::info);
    }
    for (const LogOptions::PathLevel& path : options.paths) any_least_ = std::min(any_least_, path.least);
  }
  ~ConsoleLog() override { erase_status(); }

  [[nodiscard]] bool shows(base::Level level) const override { return !options_.silent && level >= any_least_; }

  void write(base::Level level, std::string_view message) override { write_from({}, level, message); }

  void write_from(const std::source_location& where, base::Level level, std::string_view message) override {
    const std::string_view file = path_in_source(where);
    if (!shows(level) || level < least_of(file)) return;
    const LevelStyle& style = kStyles[static_cast<std::size_t>(level)];
    std::string prefix(style.prefix);
    if (options_.line_info && !file.empty()) prefix += fmt::format(" [{}:{}]", file, where.line());
    const std::lock_guard lock(mutex_);
    erase_status();
    print(level, prefix, message);
    if (file_ != nullptr) file_->info("{} {}", prefix, message);
    if (!file_error_.empty()) give_up_file();
    draw_status();
  }

  [[nodiscard]] bool shows_status() const override { return terminal_.redraws && shows(base::Level::info); }

  void show_status(std::string_view line) override {
    if (!shows_status()) return;
    const std::lock_guard lock(mutex_);
    status_ = line;
    if (status_.empty()) erase_status();
    draw_status();
  }

 private:
  void print(base::Level level, std::string_view prefix, std::string_view message) {
    const std::string_view color = kStyles[static_cast<std::size_t>(level)].color;
    const bool is_critical = level == base::Level::critical;
    spdlog::logger& logger = is_critical ? err_ : out_;
    const bool colors = options_.colors && (!is_critical || err_colors_);
    const std::string text = base::without_escapes(message);  // it may quote a check, an engine or a model
    if (colors && !color.empty()) {
      logger.info("{}{} {}\033[0m", color, prefix, text);
    } else {
      logger.info("{} {}", prefix, text);
    }
  }

  // Ends the log file after an error, such as a full disk.
  void give_up_file() {
    file_ = nullptr;
    const std::string error = std::exchange(file_error_, {});  // "Failed flush to file a.log: No space left on device"
    if (!shows(base::Level::warning)) return;
    const std::size_t colon = error.rfind(": ");
    const std::string reason = colon == std::string::npos ? error : error.substr(colon + 2);
    print(base::Level::warning, kStyles[static_cast<std::size_t>(base::Level::warning)].prefix,
          fmt::format("cannot write the log file: {} (in {}). It ends here", reason, options_.file->string()));
  }

  [[nodiscard]] base::Level least_of(std::string_view file) const {
    const LogOptions::PathLevel* best = nullptr;
    for (const LogOptions::PathLevel& path : options_.paths) {
      const bool is_closer = best == nullptr || path.path.size() >= best->path.size();
      if (is_closer && is_in(file, path.path)) best = &path;
    }
    return best == nullptr ? options_.least : best->least;
  }

  // In the last column, a terminal would begin a new line.
  void draw_status() {
    if (status_.empty()) return;
    stream_ << '\r' << one_line(status_, width(terminal_) - 1) << kErase.substr(1) << std::flush;
    is_drawn_ = true;
  }
  void erase_status() {
    if (is_drawn_) stream_ << kErase << std::flush;
    is_drawn_ = false;
  }

  LogOptions options_;
  base::Level any_least_ = options_.least;
  Terminal terminal_;
  bool err_colors_;
  std::ostream& stream_;
  spdlog::logger out_;
  spdlog::logger err_;
  std::unique_ptr<spdlog::logger> file_;  // null: no log file
  std::string file_error_;                // why it can't be written
  std::mutex mutex_;                      // for the status line, and for messages that stand above it
  std::string status_;
  bool is_drawn_ = false;
};

}  // namespace

base::Expected<std::unique_ptr<base::Log>> make_console_log(const LogOptions& options, const Terminal& terminal,
                                                            std::ostream& out, std::ostream& err,
                                                            const Terminal& err_terminal) {
  spdlog::sink_ptr file;
  if (options.file) {
    std::error_code code;
    worker::FileDescriptor pipe;  // stays open until the log has opened it, too: its reader ends with the last writer
    if (std::filesystem::is_fifo(*options.file, code)) {
      pipe = worker::FileDescriptor(::open(options.file->c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
      if (!pipe.valid() && errno == ENXIO) {  // opening it without O_NONBLOCK would wait, even after Ctrl-C
        return base::fail(base::ErrorKind::io, "no program reads the pipe for the log", options.file->string(),
                          "Start its reader first, or give another path with --log-file");
      }
    }
    try {
      file = std::make_shared<spdlog::sinks::basic_file_sink_mt>(options.file->string(), true);
    } catch (const spdlog::spdlog_ex& exception) {
      return base::fail(base::ErrorKind::io, fmt::format("cannot write the log file: {}", exception.what()),
                        options.file->string(), "Give another path with --log-file");
    }
  }
  return std::make_unique<ConsoleLog>(options, terminal, out, err, err_terminal, std::move(file));
}

std::string as_message(std::string_view text) {
  return base::replace_all(text, "\n", "\n    ");
}

}  // namespace assay::cli
