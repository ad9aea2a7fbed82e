// --memory-budget: how many bytes of tensors a command holds at a time.
#pragma once

#include <CLI/App.hpp>

#include <cstdint>
#include <string>

#include "base/error.h"

namespace assay::cli {

class MemoryBudgetOption {
 public:
  // `what` is held, for --help: "Values of marked tensors at a time".
  void add_to(CLI::App& app, const std::string& what, const std::string& group);
  // Bytes; a quarter of the memory that is free where the user gives none. Errors: invalid_input for what is no size
  // above 0.
  [[nodiscard]] base::Expected<std::uint64_t> bytes() const;

 private:
  std::string size_;
};

}  // namespace assay::cli
