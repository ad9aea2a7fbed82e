// For tests: a log that records its status lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"

namespace assay::base::test {

class StatusLog final : public Log {
 public:
  explicit StatusLog(bool is_terminal = true) : is_terminal_(is_terminal) {}

  [[nodiscard]] bool shows(Level) const override { return false; }
  void write(Level, std::string_view) override {}
  void show_status(std::string_view line) override { lines.emplace_back(line); }
  [[nodiscard]] bool shows_status() const override { return is_terminal_; }

  std::vector<std::string> lines;

 private:
  bool is_terminal_;
};

}  // namespace assay::base::test
