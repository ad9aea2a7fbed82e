#include "reduce/verdicts/resume_journal.h"

#include <system_error>

#include "base/counted.h"

namespace assay::reduce {

namespace fs = std::filesystem;

base::Expected<Journal> resume_journal(const fs::path& path, const std::string& identity, base::Log& log) {
  std::error_code ignored;
  const bool was_there = fs::exists(path, ignored);
  auto journal = Journal::open(path, identity);
  if (!journal) {
    if (!was_there && fs::is_regular_file(path, ignored)) (void)Journal::remove(path);
    return base::fail(journal.error());
  }
  if (journal->size() > 0) log.info("Reusing {} from {}", base::counted(journal->size(), "verdict"), path.string());
  return journal;
}

void discard_journal(const fs::path& path, base::Log& log) {
  if (const base::Status removed = Journal::remove(path); !removed) log.warning("{}", removed.error().message());
}

}  // namespace assay::reduce
