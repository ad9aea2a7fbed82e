#include "cli/options/memory_budget_option.h"

#include "base/free_memory.h"
#include "base/strings.h"

namespace assay::cli {

void MemoryBudgetOption::add_to(CLI::App& app, const std::string& what, const std::string& group,
                                const std::string& size) {
  size_ = size;
  CLI::Option* option = app.add_option("--memory-budget", size_, what)->option_text("SIZE")->group(group);
  if (!size.empty()) option->capture_default_str();
}

base::Expected<std::uint64_t> MemoryBudgetOption::bytes() const {
  if (size_.empty()) return base::default_memory_budget();
  auto budget = base::parse_size(size_);
  if (budget && *budget > 0) return *budget;
  return base::fail(base::ErrorKind::invalid_input, "'" + size_ + "' is not a size above 0", "--memory-budget",
                    "Use a size such as 512M or 4G");
}

}  // namespace assay::cli
