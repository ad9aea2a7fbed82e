#include "bindings/reduction_journal.h"

#include <fmt/format.h>

#include <utility>

#include "reduce/judge/check_identity.h"
#include "reduce/verdicts/candidate_hash.h"

namespace assay::python {

base::Expected<std::optional<reduce::JournalFile>> journal_file(const JournalPlan& plan, const model::Model& model,
                                                                const reduce::CheckSetup& command,
                                                                const backend::EngineSearch& engines) {
  if (plan.path.empty()) return std::nullopt;
  using reduce::InputIdentity;
  ASSAY_ASSIGN(std::string identity,
               reduce::input_identity(model, plan.is_copy ? InputIdentity::content : InputIdentity::usual));
  identity += "\nassay.reduce " ASSAY_VERSION;
  for (const backend::FoundEngine& engine : backend::find_engines(engines)) {
    identity += fmt::format("\n{} {} {}", engine.kind, engine.version, engine.library.string());
  }
  identity += plan.check_id.empty() ? reduce::check_identity(command, engines.path) : "\nfunction " + plan.check_id;
  return reduce::JournalFile{.path = plan.path,
                             .identity = std::move(identity),
                             .time_limit_s = command.limits.time_s,
                             .is_kept = plan.is_kept};
}

void remove_journal(const JournalPlan& plan, base::Log& log) {
  if (!plan.path.empty()) reduce::discard_journal({.path = plan.path, .is_kept = plan.is_kept}, log);
}

}  // namespace assay::python
