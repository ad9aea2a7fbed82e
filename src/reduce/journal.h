// Verdicts that outlive the process: a SQLite file, written before a verdict is used.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/log.h"
#include "reduce/oracle.h"

namespace assay::reduce {

class Journal {
 public:
  // `identity`: everything that a verdict depends on besides the candidate (the check command, its rules, the
  // versions), as text. Verdicts of another identity in the file are left alone and not seen. Errors: io, invalid_input
  // (a file that is not a journal). A journal that a power failure cut off is opened with what is whole in it.
  static base::Expected<Journal> open(const std::filesystem::path& path, const std::string& identity, base::Log& log);
  Journal(Journal&&) noexcept;
  Journal& operator=(Journal&&) noexcept;
  ~Journal();

  // `candidate`: hash of the candidate's bytes.
  [[nodiscard]] std::optional<Verdict> find(const std::string& candidate) const;
  // On disk when it returns.
  base::Status record(const std::string& candidate, const Verdict& verdict);
  [[nodiscard]] std::size_t size() const;  // verdicts of this identity

 private:
  class Impl;
  explicit Journal(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace assay::reduce
