// Verdicts that outlive the process: a SQLite file, written before a verdict is used.
//
// Killed, out of power, out of disk at any moment: what record() returned from is found afterwards, and nothing is
// found that was not recorded. The file holds the verdicts of any number of identities.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/log.h"
#include "reduce/verdicts/oracle.h"

namespace assay::reduce {

// For one thread at a time. The process that has it open locks out all others.
class Journal {
 public:
  // `identity`: everything that a verdict depends on besides the candidate (the input's files, the check command, its
  // rules, the versions), as text. Verdicts of another identity in the file are left alone and not seen. Makes the file
  // and its folder where they are missing. Errors: io (also where another process has it open), invalid_input (a file
  // that is not a journal, which is left as it is). A damaged journal is kept as PATH.damaged, with a warning; the new
  // one has what is whole in it.
  static base::Expected<Journal> open(const std::filesystem::path& path, const std::string& identity, base::Log& log);
  // The file and what SQLite puts beside it; nothing where there is none. For one that nobody has open.
  static base::Status remove(const std::filesystem::path& path);
  Journal(Journal&&) noexcept;
  Journal& operator=(Journal&&) noexcept;
  ~Journal();

  // `candidate`: candidate_hash() of it. The verdict found has this source.
  [[nodiscard]] std::optional<Verdict> find(const std::string& candidate) const;
  // On disk when it returns; of an output, the last kKeptOutput bytes. A candidate that has a verdict already gets the
  // new one. Errors: io; then the verdict is not recorded, and all others are still there.
  base::Status record(const std::string& candidate, const Verdict& verdict);
  [[nodiscard]] std::size_t size() const;  // verdicts of this identity

 private:
  class Impl;
  explicit Journal(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace assay::reduce
