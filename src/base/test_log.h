// For tests: a log that records what is written to it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"

namespace assay::base::test {

class TestLog final : public Log {
 public:
  // Messages below `least` are discarded.
  explicit TestLog(Level least = Level::ultra_verbose) : least_(least) {}

  [[nodiscard]] bool shows(Level level) const override { return level >= least_; }
  void write(Level level, std::string_view message) override {
    if (shows(level)) messages_.emplace_back(message);
  }

  [[nodiscard]] const std::vector<std::string>& messages() const { return messages_; }
  // Returns the messages, each with a line break after it.
  [[nodiscard]] std::string text() const {
    std::string text;
    for (const std::string& message : messages_) (text += message) += '\n';
    return text;
  }
  void clear() { messages_.clear(); }
  void set_least(Level least) { least_ = least; }

 private:
  Level least_;
  std::vector<std::string> messages_;
};

}  // namespace assay::base::test
