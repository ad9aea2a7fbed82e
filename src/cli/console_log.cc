// spdlog does the locking, the time stamps and the file. This file adds the prefixes and colours of the levels.
#include "cli/console_log.h"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <array>

#include "base/strings.h"

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

class ConsoleLog final : public base::Log {
 public:
  ConsoleLog(const LogOptions& options, std::vector<spdlog::sink_ptr> out, std::vector<spdlog::sink_ptr> err)
      : options_(options), out_("out", out.begin(), out.end()), err_("err", err.begin(), err.end()) {
    for (spdlog::logger* logger : {&out_, &err_}) {
      logger->set_pattern(options.timestamp ? "[%Y-%m-%d %H:%M:%S.%e]%v" : "%v");
      logger->flush_on(spdlog::level::info);
    }
  }

  [[nodiscard]] bool shows(base::Level level) const override { return !options_.silent && level >= options_.least; }

  void write(base::Level level, std::string_view message) override {
    if (!shows(level)) return;
    const LevelStyle& style = kStyles[static_cast<std::size_t>(level)];
    spdlog::logger& logger = level == base::Level::critical ? err_ : out_;
    if (options_.colors && !style.color.empty()) {
      logger.info("{}{} {}\033[0m", style.color, style.prefix, message);
    } else {
      logger.info("{} {}", style.prefix, message);
    }
  }

 private:
  LogOptions options_;
  spdlog::logger out_;
  spdlog::logger err_;
};

}  // namespace

base::Expected<std::unique_ptr<base::Log>> make_console_log(const LogOptions& options, std::ostream& out,
                                                            std::ostream& err) {
  std::vector<spdlog::sink_ptr> out_sinks = {std::make_shared<spdlog::sinks::ostream_sink_mt>(out)};
  std::vector<spdlog::sink_ptr> err_sinks = {std::make_shared<spdlog::sinks::ostream_sink_mt>(err)};
  if (options.file) {
    try {
      auto file = std::make_shared<spdlog::sinks::basic_file_sink_mt>(options.file->string(), true);
      out_sinks.push_back(file);
      err_sinks.push_back(file);
    } catch (const spdlog::spdlog_ex& exception) {
      return base::fail(base::ErrorKind::io, fmt::format("cannot write the log file: {}", exception.what()),
                        options.file->string(), "Give another path with --log-file");
    }
  }
  return std::make_unique<ConsoleLog>(options, std::move(out_sinks), std::move(err_sinks));
}

std::string as_message(std::string_view text) {
  return base::replace_all(text, "\n", "\n    ");
}

}  // namespace assay::cli
