// The SQLite file of a journal: made, recognised, checked, and set aside where it is damaged.
#pragma once

#include <filesystem>

#include "base/error.h"
#include "base/log.h"
#include "reduce/verdicts/sqlite.h"

namespace assay::reduce {

// Errors: invalid_input where something else is at `path` (it is left alone) or another version made it, io. A damaged
// file is renamed (".damaged" and, where there is one already, a number), its log with it; whole rows are taken over.
base::Expected<sqlite::Database> open_journal_file(const std::filesystem::path& path, base::Log& log);

}  // namespace assay::reduce
