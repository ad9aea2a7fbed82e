#include "reduce/passes_to_skip.h"

#include <algorithm>

#include "reduce/passes/pass.h"
#include "reduce/search/last_look.h"
#include "reduce/search/phases/phase.h"

namespace assay::reduce {

base::Expected<std::set<std::string, std::less<>>> passes_to_skip(const PassChoice& choice) {
  std::set<std::string, std::less<>> all;
  for (const PhaseRow& row : phases()) all.emplace(row.name);
  for (const Pass& pass : passes()) all.emplace(pass.name);
  all.emplace(kVerify);
  for (const auto* names : {&choice.only, &choice.skip}) {
    for (const std::string& name : *names) {
      if (all.contains(name)) continue;
      return base::fail(base::ErrorKind::invalid_input, "unknown pass", name,
                        "`assay debug reduce --list-passes` lists all passes");
    }
  }
  std::set<std::string, std::less<>> skip(choice.skip.begin(), choice.skip.end());
  for (const Pass& pass : passes()) {
    const bool is_left_out = (pass.on_request && !choice.thorough) || (pass.changes_values && choice.keeps_values);
    if (is_left_out && choice.only.empty()) skip.emplace(pass.name);
  }
  for (const std::string& name : all) {
    if (!choice.only.empty() && std::ranges::find(choice.only, name) == choice.only.end()) skip.insert(name);
  }
  return skip;
}

}  // namespace assay::reduce
