// The option --memory-budget: how many bytes of tensors a command may hold at a time.
#pragma once

#include <CLI/App.hpp>

#include <cstdint>
#include <string>

namespace assay::cli {

class MemoryBudgetOption {
 public:
  // `what` is the option's help text, which says what the budget covers. `size` is the default; if it is empty, the
  // default is a quarter of the free memory, or 4 GiB if that is unknown.
  void add_to(CLI::App& app, const std::string& what, const std::string& group, const std::string& size = {});
  // Returns the budget in bytes, which is above 0 if the user gave it.
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  std::string size_;
};

}  // namespace assay::cli
