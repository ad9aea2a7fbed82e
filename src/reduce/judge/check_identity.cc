#include "reduce/judge/check_identity.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <vector>

#include "reduce/judge/check_scripts.h"

namespace assay::reduce {

std::string check_identity(const CheckSetup& check, std::span<const std::filesystem::path> search_path) {
  std::string identity;
  for (const std::string& word : check.command) identity += "\nword " + word;
  identity += "\nscripts " + hash_of_scripts(check.command, search_path);
  const auto add_codes = [&](std::string_view name, const std::vector<int>& codes) {
    identity += fmt::format("\n{} {}", name, fmt::join(codes, " "));
  };
  add_codes("fails", check.rules.fail_codes);
  add_codes("passes", check.rules.ignore_fail_codes);
  add_codes("unresolved", check.rules.unresolved_codes);
  for (const std::string& pattern : check.rules.patterns) identity += "\npattern " + pattern;
  for (const std::string& pattern : check.rules.unresolved_patterns) identity += "\nunresolved " + pattern;
  return identity + fmt::format("\nmemory {}", check.limits.memory_bytes.value_or(0));
}

}  // namespace assay::reduce
