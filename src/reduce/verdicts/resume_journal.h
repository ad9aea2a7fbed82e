// Opens the journal of a reduction, and removes its verdicts or the whole file.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/log.h"
#include "reduce/verdicts/journal.h"

namespace assay::reduce {

struct JournalFile {
  std::filesystem::path path;
  std::string identity{};                // see Journal::open
  std::optional<double> time_limit_s{};  // of a check
  bool is_kept = false;                  // the user named the file, so nothing is removed from it
};

// Opens or creates a journal (Journal::open), and logs how many of its verdicts will be reused. Errors: those of
// Journal::open.
base::Expected<Journal> resume_journal(const JournalFile& file, base::Log& log);

// Removes a journal that is no longer needed, unless it is kept, and warns if that fails. The journal must not be open.
void discard_journal(const JournalFile& file, base::Log& log);

// Removes the verdicts of a journal's identity, and the file if it holds no others, unless it is kept. Closes the
// journal. Warns if that fails.
void discard_verdicts(Journal journal, const JournalFile& file, base::Log& log);

}  // namespace assay::reduce
