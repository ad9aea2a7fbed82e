// Verdicts are reused only by the same version of Assay, with the same check and rules, on the same model.
#include "cli/commands/debug/reduce_journal.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "cli/version.h"
#include "reduce/verdicts/candidate_hash.h"
#include "reduce/verdicts/check_scripts.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;

// Returns everything that a verdict depends on besides the candidate.
base::Expected<std::string> journal_identity(const ReductionSetup& options, const model::Model& model,
                                             const Context& context) {
  ASSAY_ASSIGN(std::string identity, reduce::input_identity(model));
  identity += "\n" + version_text(context.installation);
  if (!options.check.has_command()) return identity + "\nyour answers";
  ASSAY_ASSIGN(const reduce::CheckSetup check, options.check.setup());
  for (const std::string& word : check.command) identity += "\nword " + word;
  identity += "\nscripts " + reduce::hash_of_scripts(check.command, options.iterations.iter_artifact(),
                                                     context.installation.engines.path);
  const auto add_codes = [&](std::string_view name, const std::vector<int>& codes) {
    identity += fmt::format("\n{} {}", name, fmt::join(codes, " "));
  };
  add_codes("fails", check.rules.fail_codes);
  add_codes("passes", check.rules.ignore_fail_codes);
  add_codes("unresolved", check.rules.unresolved_codes);
  for (const std::string& pattern : check.rules.patterns) identity += "\npattern " + pattern;
  for (const std::string& pattern : check.rules.unresolved_patterns) identity += "\nunresolved " + pattern;
  return identity +
         fmt::format("\nlimits {} {}", check.limits.time_s.value_or(0), check.limits.memory_bytes.value_or(0));
}

}  // namespace

base::Expected<std::optional<reduce::Journal>> open_journal(const ReductionSetup& options, const model::Model& model,
                                                            const Context& context) {
  const auto path = options.search.journal(options.output);
  if (!path) return std::nullopt;
  ASSAY_ASSIGN(const std::string identity, journal_identity(options, model, context));
  std::error_code ignored;
  const bool was_there = fs::exists(*path, ignored);
  auto journal = reduce::Journal::open(*path, identity);
  if (!journal) {
    if (!was_there && fs::is_regular_file(*path, ignored)) (void)reduce::Journal::remove(*path);
    return base::fail(journal.error());
  }
  if (journal->size() > 0) context.log.info("Reusing {} verdicts from {}", journal->size(), path->string());
  return std::optional(*std::move(journal));
}

void remove_journal(const ReductionSetup& options, const Context& context) {
  const auto path = options.search.journal(options.output);
  if (!path || options.search.keeps_journal()) return;
  if (const base::Status removed = reduce::Journal::remove(*path); !removed) {
    context.log.warning("{}", removed.error().message());
  }
}

}  // namespace assay::cli
