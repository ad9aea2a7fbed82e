// The option --memory-budget: how many bytes of tensors a command may hold at a time.
#pragma once

#include <CLI/App.hpp>

#include <cstdint>
#include <string>

#include "base/error.h"

namespace assay::cli {

class MemoryBudgetOption {
 public:
  // `what` is the option's help text, which says what the budget covers. `size` is the default; if it is empty, the
  // default is a quarter of the free memory, or 4 GiB if that is unknown.
  void add_to(CLI::App& app, const std::string& what, const std::string& group, const std::string& size = {});
  // Returns the budget in bytes. Errors: invalid_input if the value isn't a size above 0.
  [[nodiscard]] base::Expected<std::uint64_t> bytes() const;

 private:
  std::string size_;
};

}  // namespace assay::cli
