// The SQLite file of a journal: creates it, recognises it, and checks it.
#pragma once

#include <filesystem>

#include "base/error.h"
#include "reduce/verdicts/sqlite.h"

namespace assay::reduce {

// Opens the journal at `path`, or creates it. Errors: invalid_input if `path` is something else, a damaged journal or
// one of another version (left unchanged); io. If it can't be filled, a new file is removed.
base::Expected<sqlite::Database> open_journal_file(const std::filesystem::path& path);

}  // namespace assay::reduce
