#include "reduce/verdicts/resume_journal.h"

#include <utility>

#include "base/counted.h"

namespace assay::reduce {

base::Expected<Journal> resume_journal(const JournalFile& file, base::Log& log) {
  ASSAY_ASSIGN(Journal journal, Journal::open(file.path, file.identity, file.time_limit_s));
  if (journal.size() > 0) {
    log.info("Reusing {} from {}", base::counted(journal.size(), "verdict"), file.path.string());
  } else if (journal.hidden() > 0) {
    log.info(
        "Reusing none of the verdicts in {}: the model, the check, its scripts or rules, the engines that Assay finds, "
        "or the version of Assay have changed since",
        file.path.string());
  }
  return journal;
}

void discard_journal(const JournalFile& file, base::Log& log) {
  if (file.is_kept) return;
  if (const base::Status removed = Journal::remove(file.path); !removed) log.warning("{}", removed.error().message());
}

void discard_verdicts(Journal journal, const JournalFile& file, base::Log& log) {
  if (file.is_kept) return;
  const base::Expected<bool> has_others = [&] {
    Journal last = std::move(journal);  // closed before the file is removed
    return last.forget();
  }();
  if (!has_others) {
    log.warning("{}", has_others.error().message());
  } else if (!*has_others) {
    discard_journal(file, log);
  }
}

}  // namespace assay::reduce
