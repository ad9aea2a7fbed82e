// Verdicts that survive the process: an SQLite file that is written before a verdict is used.
//
// The process may be killed, or power or disk space may run out at any moment: every verdict for which record()
// returned success is found afterwards, and nothing else is. One file can hold the verdicts of any number of
// identities.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "base/error.h"
#include "reduce/verdicts/sqlite.h"
#include "reduce/verdicts/verdict.h"

namespace assay::reduce {

// Use it from one thread at a time. While it is open, other processes can't open the same file.
class Journal {
 public:
  // Opens a journal, or creates it and its folder. `identity` is text that states everything on which a verdict depends
  // besides the candidate: the input's files, the check command and its rules, the versions. Verdicts of other
  // identities in the file are kept but not visible. Errors: io (also if another process has the file open),
  // invalid_input (the file isn't a journal, or is damaged; it is left unchanged).
  static base::Expected<Journal> open(const std::filesystem::path& path, const std::string& identity);
  // Removes the file and SQLite's files next to it, if they exist. No process may have the journal open. Errors: io.
  static base::Status remove(const std::filesystem::path& path);

  // `candidate` is the candidate_hash(). The verdict's source is `journal`.
  [[nodiscard]] std::optional<Verdict> find(const std::string& candidate);
  // Stores a verdict, replacing any earlier one of the candidate. It is on disk when this returns. Only the last
  // kKeptOutput bytes of the output are kept. Errors: io; then this verdict isn't stored, and all others still are.
  base::Status record(const std::string& candidate, const Verdict& verdict);
  [[nodiscard]] std::size_t size() const { return size_; }  // verdicts of this identity
  // Removes all verdicts of this identity if the file holds others; otherwise returns false, and the file can go. That
  // works on a full disk, too. Errors: io.
  base::Expected<bool> forget();

 private:
  Journal(std::filesystem::path path, std::string identity, sqlite::Database database);
  sqlite::Result<void> prepare();

  std::filesystem::path path_;
  std::string identity_;  // its hash
  sqlite::Database database_;
  sqlite::Statement find_;
  sqlite::Statement insert_;
  std::size_t size_ = 0;
};

}  // namespace assay::reduce
