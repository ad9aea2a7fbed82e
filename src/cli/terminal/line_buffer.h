// A stream buffer that passes on what is written line by line.
#pragma once

#include <functional>
#include <streambuf>
#include <string>
#include <utility>

namespace assay::cli {

// Calls a function with each line that is written to it.
class LineBuffer final : public std::streambuf {
 public:
  explicit LineBuffer(std::function<void(const std::string&)> take) : take_(std::move(take)) {}

 protected:
  int_type overflow(int_type c) override {
    if (c == '\n') {
      take_(line_);
      line_.clear();
    } else if (c != traits_type::eof()) {
      line_ += traits_type::to_char_type(c);
    }
    return traits_type::not_eof(c);
  }

 private:
  std::function<void(const std::string&)> take_;
  std::string line_;
};

}  // namespace assay::cli
