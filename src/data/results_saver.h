// Saves what engines answer as it comes, in parts that may come in any order, and holds none of it in memory.
//
// The single file goes runner by runner, and within a runner iteration by iteration, which is not how answers come. So
// what comes at its turn is written to the file, and the rest to a temporary one beside it, from where finish() copies
// it, inside the kernel where it can. Disk space: that of the file, and of what had to wait, for a while.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

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

  // All that the runners answered in one iteration, in running order; the iterations in their order.
  base::Status add(const std::vector<IterationResult>& iteration);
  // Some of the outputs of one runner in one iteration. Outputs follow each other as they come. Of the runtimes of all
  // parts the longest is kept, as the one of a whole run.
  base::Status add_part(std::int64_t iteration, const IterationResult& part);
  // Must be called at the end; without it a single file is not left behind.
  base::Status finish();

 private:
  RunResultsSaver() = default;
  base::Expected<ResultsFile*> file_of(std::int64_t iteration);
  std::filesystem::path path_;
  bool folder_ = false;
  std::int64_t rows_ = 0;                                       // that add() took
  std::map<std::int64_t, std::unique_ptr<ResultsFile>> files_;  // by iteration; of the single file, one at 0
};

}  // namespace assay::data
