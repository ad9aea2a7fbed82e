// The SQLite file of a journal: creates it, recognises it, checks it, and repairs it if it is damaged.
#pragma once

#include <filesystem>

#include "base/error.h"
#include "base/log.h"
#include "reduce/verdicts/sqlite.h"

namespace assay::reduce {

// Opens the journal at `path`, or creates it. A damaged file is renamed to PATH.damaged, PATH.damaged-2 and so on,
// together with its write-ahead log, and its intact rows are copied to a new file. Errors: invalid_input if `path` is
// something else or a journal of another version (left unchanged); io.
base::Expected<sqlite::Database> open_journal_file(const std::filesystem::path& path, base::Log& log);

}  // namespace assay::reduce
