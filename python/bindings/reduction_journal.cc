#include "bindings/reduction_journal.h"

#include <fmt/format.h>

#include <utility>

#include "reduce/judge/check_identity.h"
#include "reduce/verdicts/candidate_hash.h"
#include "reduce/verdicts/resume_journal.h"

namespace assay::python {

base::Expected<std::optional<reduce::Journal>> open_journal(const JournalPlan& plan, const model::Model& model,
                                                            const reduce::CheckSetup& command,
                                                            const backend::EngineSearch& engines, base::Log& log) {
  if (plan.path.empty()) return std::nullopt;
  using reduce::InputIdentity;
  ASSAY_ASSIGN(std::string identity,
               reduce::input_identity(model, plan.is_copy ? InputIdentity::content : InputIdentity::usual));
  identity += "\nassay.reduce " ASSAY_VERSION;
  for (const backend::FoundEngine& engine : backend::find_engines(engines)) {
    identity += fmt::format("\n{} {} {}", engine.kind, engine.version, engine.library.string());
  }
  identity += plan.check_id.empty() ? reduce::check_identity(command, engines.path) : "\nfunction " + plan.check_id;
  return reduce::resume_journal(plan.path, identity, command.limits.time_s, log);
}

void remove_journal(const JournalPlan& plan, base::Log& log) {
  if (!plan.path.empty() && !plan.is_kept) reduce::discard_journal(plan.path, log);
}

void remove_verdicts(reduce::Journal journal, const JournalPlan& plan, base::Log& log) {
  if (!plan.path.empty() && !plan.is_kept) reduce::discard_verdicts(std::move(journal), plan.path, log);
}

}  // namespace assay::python
