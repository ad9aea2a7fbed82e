// Verdicts are reused only by the same command on the same model. "The same command" includes the text of the scripts
// that it runs: a user who stops a reduction to fix the check wants none of the old verdicts.
#include "cli/commands/reduce_journal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/files.h"
#include "base/strings.h"
#include "cli/version.h"
#include "reduce/verdicts/candidate_hash.h"
#include "reduce/verdicts/hash.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLongestScript = 1 << 20;  // bytes; anything longer is data
constexpr std::array<std::string_view, 6> kScriptEndings = {".py", ".sh", ".bash", ".pl", ".rb", ".lua"};

bool is_small_file(const fs::path& path) {
  std::error_code code;
  return fs::is_regular_file(path, code) && fs::file_size(path, code) <= kLongestScript && !code;
}

// Returns true for programs and scripts. Other files on the command line may be written by the check itself.
bool is_script(const fs::path& path) {
  std::error_code code;
  const bool runs = (fs::status(path, code).permissions() & fs::perms::owner_exec) != fs::perms::none;
  return runs || std::ranges::find(kScriptEndings, path.extension().string()) != kScriptEndings.end();
}

// Returns the paths that a word may name: the word itself, and its parts, as in "sh -c 'exec python check.py {model}'".
std::vector<fs::path> files_of(const std::string& word) {
  std::vector<fs::path> files = {word};
  std::string text = word;
  std::ranges::replace_if(
      text, [](char c) { return std::string_view(" \t\n;&|()<>\"'").find(c) != std::string_view::npos; }, ' ');
  for (std::string& part : base::split(text, ' ')) files.emplace_back(std::move(part));
  return files;
}

// Returns a hash of the scripts that a command runs. A first word without a folder is looked up in PATH. The artifact
// doesn't count: a run that was killed may have left one.
std::string hash_of_scripts(const std::vector<std::string>& command, const fs::path& artifact, const Context& context) {
  std::vector<fs::path> files;
  if (!command.empty() && command[0].find('/') == std::string::npos) {
    for (const fs::path& folder : context.installation.engines.path) files.push_back(folder / command[0]);
  }
  for (const std::string& word : command) std::ranges::move(files_of(word), std::back_inserter(files));
  reduce::Hash hash;
  bool interpreter = true;  // so far only programs, which run the next file whatever its name
  for (const fs::path& file : files) {
    if (file.lexically_normal() == artifact.lexically_normal() || !is_small_file(file)) continue;
    const std::string text = base::read_file(file).value_or("");
    if (is_script(file) || interpreter) hash.add(text);
    interpreter = interpreter && text.starts_with("\177ELF");
  }
  return hash.hex();
}

// Returns everything that a verdict depends on besides the candidate.
base::Expected<std::string> journal_identity(const ReductionSetup& options, const model::Model& model,
                                             const Context& context) {
  ASSAY_ASSIGN(std::string identity, reduce::input_identity(model));
  identity += "\n" + version_text(context.installation);
  if (!options.check.has_command()) return identity + "\nyour answers";
  ASSAY_ASSIGN(const reduce::CheckOptions check, options.check.check_options());
  for (const std::string& word : check.command) identity += "\nword " + word;
  identity += "\nscripts " + hash_of_scripts(check.command, options.iterations.iter_artifact(), context);
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
