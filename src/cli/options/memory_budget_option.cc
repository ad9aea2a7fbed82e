#include "cli/options/memory_budget_option.h"

#include "base/free_memory.h"
#include "base/strings.h"
#include "cli/options/validators.h"

namespace assay::cli {

void MemoryBudgetOption::add_to(CLI::App& app, const std::string& what, const std::string& group,
                                const std::string& size) {
  size_ = size;
  CLI::Option* option =
      app.add_option("--memory-budget", size_, what)->option_text("SIZE")->check(size_above_zero())->group(group);
  if (!size.empty()) option->capture_default_str();
}

std::uint64_t MemoryBudgetOption::bytes() const {
  return size_.empty() ? base::default_memory_budget() : *base::parse_size(size_);  // the parser has checked it
}

}  // namespace assay::cli
