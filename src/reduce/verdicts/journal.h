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
  // besides the candidate and the time limit: the input's files, the check command and its rules, the versions.
  // Verdicts of other identities in the file are kept but not visible. Neither are verdicts that depend on another time
  // limit: of checks that ran into theirs, or took longer than `time_limit_s` (absent: no limit). Errors: io (also if
  // another process has the file open), invalid_input (the file isn't a journal, or is damaged; it is left unchanged).
  static base::Expected<Journal> open(const std::filesystem::path& path, const std::string& identity,
                                      std::optional<double> time_limit_s = {});
  // Removes the file and SQLite's files next to it, if they exist. No process may have the journal open. Errors: io.
  static base::Status remove(const std::filesystem::path& path);

  // `candidate` is the candidate_hash(). The verdict's source is `journal`.
  [[nodiscard]] std::optional<Verdict> find(const std::string& candidate);
  // Stores a verdict, replacing any earlier one of the candidate. It is on disk when this returns. The output
  // is shortened by shorten_output(). Errors: io; then this verdict isn't stored, and all others still are.
  base::Status record(const std::string& candidate, const Verdict& verdict);
  [[nodiscard]] std::size_t size() const { return size_; }      // visible verdicts
  [[nodiscard]] std::size_t hidden() const { return hidden_; }  // verdicts that weren't visible when it was opened
  // Removes all visible verdicts if the file holds others; otherwise returns false, and the file can go. That
  // works on a full disk, too. Errors: io.
  base::Expected<bool> forget();

 private:
  Journal(std::filesystem::path path, const std::string& identity, std::optional<double> time_limit_s,
          sqlite::Database database);
  sqlite::Result<void> prepare();
  // Binds what makes verdicts visible, the first three parameters of a statement.
  void bind_visible(sqlite::Statement& statement) const;

  std::filesystem::path path_;
  std::string identity_;          // its hash
  std::string limited_identity_;  // with the time limit: of verdicts that depend on it
  double time_limit_s_;           // infinite if there is none
  sqlite::Database database_;
  sqlite::Statement find_;
  sqlite::Statement insert_;
  std::size_t size_ = 0;
  std::size_t hidden_ = 0;
};

}  // namespace assay::reduce
