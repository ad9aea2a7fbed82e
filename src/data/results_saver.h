// Saves results as they arrive, in parts that may arrive in any order, without holding them in memory.
//
// The single file is ordered by runner, then by iteration, but results arrive in another order. So results that arrive
// in their turn are written to the file, and the others to a temporary file next to it, from which finish() copies
// them, inside the kernel if possible. This needs disk space for the file and, temporarily, for the results that had to
// wait. In a folder, all parts wait, in one temporary file: one open file per iteration could be too many.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "base/error.h"
#include "data/run_results.h"

namespace assay::data {

class ResultsFile;

class RunResultsSaver {
 public:
  // A path without an extension becomes a folder with a file for each iteration. Errors: those of prepare_folder(); io.
  static base::Expected<RunResultsSaver> create(const std::filesystem::path& path);
  RunResultsSaver(RunResultsSaver&&) noexcept;
  ~RunResultsSaver();

  // Adds all results of the runners in one iteration, in running order. Must be called iteration by iteration.
  base::Status add(const std::vector<IterationResult>& iteration);
  // Adds some of the outputs of one runner in one iteration, in order of arrival. The saved runtime is the longest of
  // all parts, to resemble that of a whole run.
  base::Status add_part(std::int64_t iteration, const IterationResult& part);
  // Must be called at the end; otherwise a single file is not kept.
  base::Status finish();

 private:
  RunResultsSaver() = default;
  base::Expected<ResultsFile*> file_of(std::int64_t iteration);
  base::Expected<ResultsFile*> parts_of(std::int64_t iteration);
  std::filesystem::path path_;
  bool folder_ = false;
  std::int64_t rows_ = 0;                                       // number of calls of add()
  std::map<std::int64_t, std::unique_ptr<ResultsFile>> files_;  // by iteration; a single file is at 0
  std::shared_ptr<base::AtomicFile> parts_;                     // of all files in a folder; null until the first part
};

}  // namespace assay::data
