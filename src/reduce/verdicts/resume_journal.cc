#include "reduce/verdicts/resume_journal.h"

#include <utility>

#include "base/counted.h"

namespace assay::reduce {

namespace fs = std::filesystem;

base::Expected<Journal> resume_journal(const fs::path& path, const std::string& identity,
                                       std::optional<double> time_limit_s, base::Log& log) {
  ASSAY_ASSIGN(Journal journal, Journal::open(path, identity, time_limit_s));
  if (journal.size() > 0) log.info("Reusing {} from {}", base::counted(journal.size(), "verdict"), path.string());
  return journal;
}

void discard_journal(const fs::path& path, base::Log& log) {
  if (const base::Status removed = Journal::remove(path); !removed) log.warning("{}", removed.error().message());
}

void discard_verdicts(Journal journal, const fs::path& path, base::Log& log) {
  const base::Expected<bool> has_others = [&] {
    Journal last = std::move(journal);  // closed before the file is removed
    return last.forget();
  }();
  if (!has_others) {
    log.warning("{}", has_others.error().message());
  } else if (!*has_others) {
    discard_journal(path, log);
  }
}

}  // namespace assay::reduce
