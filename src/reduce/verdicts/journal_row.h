// Reads and writes one verdict as a row of the journal's table.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "reduce/verdicts/sqlite.h"
#include "reduce/verdicts/verdict.h"

namespace assay::reduce {

// A row of the table `verdicts`. `identity` and `candidate` are hashes.
struct JournalRow {
  std::string identity;
  std::string candidate;
  Verdict verdict;
};

// The columns, in the order in which read_row() expects them and kJournalInsert binds them.
inline constexpr std::string_view kJournalColumns = "identity, candidate, kind, text, output, seconds";
// Reads the current row of `rows`, or returns nothing if it isn't a verdict.
std::optional<JournalRow> read_row(const sqlite::Statement& rows);
inline constexpr std::string_view kJournalInsert =
    "INSERT OR REPLACE INTO verdicts (identity, candidate, kind, text, output, seconds) VALUES (?, ?, ?, ?, ?, "
    "?)";
sqlite::Result<void> write_row(sqlite::Statement& insert, const JournalRow& row);

}  // namespace assay::reduce
