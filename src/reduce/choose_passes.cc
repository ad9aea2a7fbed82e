#include "reduce/choose_passes.h"

#include <algorithm>
#include <set>

#include "reduce/passes/pass.h"
#include "reduce/search/last_look.h"
#include "reduce/search/phases/phase.h"

namespace assay::reduce {

base::Status choose_passes(const PassChoice& choice, ReduceOptions& options) {
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
  options.thorough = choice.thorough;
  options.skip = {choice.skip.begin(), choice.skip.end()};
  const bool only_named = !choice.only.empty();
  for (const std::string& name : all) {
    if (only_named && std::ranges::find(choice.only, name) == choice.only.end()) options.skip.insert(name);
  }
  for (const Pass& pass : passes()) {
    if (!only_named && pass.on_request && !choice.thorough) options.skip.emplace(pass.name);
  }
  options.skip_to_keep_values = options.skip;
  for (const Pass& pass : passes()) {
    if (!only_named && pass.changes_values) options.skip_to_keep_values.emplace(pass.name);
  }
  return {};
}

}  // namespace assay::reduce
