// Verdicts are reused only by the same version of Assay, with the same check and rules, on the same model.
#include "cli/commands/debug/reduce/reduce_journal.h"

#include <optional>
#include <string>
#include <utility>

#include "cli/context/version.h"
#include "reduce/judge/check_identity.h"
#include "reduce/verdicts/candidate_hash.h"

namespace assay::cli {
namespace {

// Returns everything that a verdict depends on besides the candidate and the time limit. `check`: null if a person
// answers.
base::Expected<std::string> journal_identity(const ReductionSetup& setup, const reduce::CheckSetup* check,
                                             const Context& context) {
  const reduce::SharedModel& original = setup.task.original;
  // A converted model's weights are in a new file each time.
  ASSAY_ASSIGN(std::string identity, reduce::input_identity(original != nullptr ? *original : *setup.task.model));
  if (original != nullptr) identity += "\nconverted to float16";
  identity += "\nweights " + setup.slots.weights_word();
  identity += "\n" + version_text(context.installation);
  if (check == nullptr) return identity + "\nyour answers";
  return identity + reduce::check_identity(*check, context.installation.engines.path);
}

}  // namespace

base::Expected<std::optional<reduce::JournalFile>> journal_file(const ReductionSetup& setup, const Context& context) {
  const auto path = setup.search.journal(setup.output);
  if (!path) return std::nullopt;
  std::optional<reduce::CheckSetup> check;
  if (setup.check.has_command()) {
    ASSAY_ASSIGN(check, setup.check.setup());
  }
  ASSAY_ASSIGN(std::string identity, journal_identity(setup, check ? &*check : nullptr, context));
  return reduce::JournalFile{.path = *path,
                             .identity = std::move(identity),
                             .time_limit_s = check ? check->limits.time_s : std::nullopt,
                             .is_kept = setup.search.keeps_journal()};
}

void remove_journal(const ReductionSetup& setup, const Context& context) {
  const auto path = setup.search.journal(setup.output);
  if (path) reduce::discard_journal({.path = *path, .is_kept = setup.search.keeps_journal()}, context.log);
}

}  // namespace assay::cli
