// A verdict is found again only by the same command on the same model. "The same command" includes the text of the
// script that it runs: who stops a reduction to mend the check wants none of the old verdicts.
#include "cli/commands/reduce_journal.h"

#include <fmt/format.h>

#include <string>
#include <system_error>
#include <vector>

#include "base/files.h"
#include "cli/version.h"
#include "reduce/candidate_hash.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLongestScript = 1 << 20;  // bytes; anything longer is data

// The first word that is a file: "check.sh" of "sh check.sh {model}". A first word without a folder is looked up in
// PATH, and stays the same.
std::string script_of(const std::vector<std::string>& command) {
  for (std::size_t i = 0; i < command.size(); ++i) {
    if (i == 0 && command[i].find('/') == std::string::npos) continue;
    std::error_code code;
    if (!fs::is_regular_file(command[i], code) || fs::file_size(command[i], code) > kLongestScript || code) continue;
    return base::read_file(command[i]).value_or("");
  }
  return "";
}

// Everything that a verdict depends on, besides the candidate.
base::Expected<std::string> journal_identity(const ReduceMinimalOptions& options, const model::Model& model,
                                             const Context& context) {
  ASSAY_ASSIGN(std::string identity, reduce::input_identity(model));
  identity += "\n" + version_text(context.installation);
  if (!options.check.has_command()) return identity + "\nyour answers";
  ASSAY_ASSIGN(const reduce::CheckOptions check, options.check.check_options());
  for (const std::string& word : check.command) identity += "\nword " + word;
  identity += "\nscript " + script_of(check.command);
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

base::Expected<std::optional<reduce::Journal>> open_journal(const ReduceMinimalOptions& options,
                                                            const model::Model& model, const Context& context) {
  const auto path = options.minimal.journal(options.output);
  if (!path) return std::nullopt;
  ASSAY_ASSIGN(const std::string identity, journal_identity(options, model, context));
  std::error_code ignored;
  const bool was_there = fs::exists(*path, ignored);
  auto journal = reduce::Journal::open(*path, identity, context.log);
  if (!journal) {
    if (!was_there && fs::is_regular_file(*path, ignored)) (void)reduce::Journal::remove(*path);
    return base::fail(journal.error());
  }
  if (journal->size() > 0) context.log.info("Going on with the {} verdicts of {}", journal->size(), path->string());
  return std::optional(*std::move(journal));
}

void remove_journal(const ReduceMinimalOptions& options, const Context& context) {
  const auto path = options.minimal.journal(options.output);
  if (!path || options.minimal.keeps_journal() || context.stop.requested()) return;
  if (const base::Status removed = reduce::Journal::remove(*path); !removed) {
    context.log.warning("{}", removed.error().message());
  }
}

}  // namespace assay::cli
