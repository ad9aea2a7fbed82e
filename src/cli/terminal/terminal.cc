#include "cli/terminal/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace assay::cli {
namespace {

constexpr int kLeastHelp = 40;
constexpr int kMostHelp = 120;
constexpr int kUsualHelp = 100;

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

std::optional<int> columns(int fd) {
  winsize size = {};
  if (fd < 0 || ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
  return size.ws_col;
}

std::optional<int> given_columns() {
  const std::string_view text = variable("COLUMNS");
  int value = 0;
  const auto [end, error] = std::from_chars(text.begin(), text.end(), value);
  return error == std::errc() && end == text.end() && value > 0 ? std::optional(value) : std::nullopt;
}

}  // namespace

Terminal find_terminal(int fd) {
  if (isatty(fd) == 0) return {};
  const bool dumb = variable("TERM") == "dumb";
  return {.fd = fd, .colors = !dumb && variable("NO_COLOR").empty(), .redraws = !dumb};
}

int width(const Terminal& terminal) {
  return columns(terminal.fd).value_or(80);
}

int help_width(const Terminal& terminal) {
  const std::optional<int> given = given_columns();
  return std::clamp(given ? *given : columns(terminal.fd).value_or(kUsualHelp), kLeastHelp, kMostHelp);
}

}  // namespace assay::cli
