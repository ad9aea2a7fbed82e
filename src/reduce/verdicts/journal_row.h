// One verdict as the journal's file holds it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "reduce/verdicts/oracle.h"
#include "reduce/verdicts/sqlite.h"

namespace assay::reduce {

// A row of the table `verdicts`. `identity` and `candidate` are hashes.
struct JournalRow {
  std::string identity;
  std::string candidate;
  Verdict verdict;
};

// What reads rows selects these columns, in this order; what writes them binds all.
inline constexpr std::string_view kJournalColumns = "identity, candidate, kind, text, output, seconds, checksum";
// The row at which `rows` stands; none where it is not what was written.
std::optional<JournalRow> read_row(const sqlite::Statement& rows);
inline constexpr std::string_view kJournalInsert =
    "INSERT OR REPLACE INTO verdicts (identity, candidate, kind, text, output, seconds, checksum) "
    "VALUES (?, ?, ?, ?, ?, ?, ?)";
sqlite::Result<void> write_row(sqlite::Statement& insert, const JournalRow& row);

}  // namespace assay::reduce
