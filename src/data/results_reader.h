// Reads saved results, a file or a folder, piece by piece: only what was requested last is in memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <list>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/error.h"
#include "data/iteration_arrays.h"
#include "data/results_document.h"
#include "data/run_results.h"

namespace assay::data {

class ResultsReader {
 public:
  // Opens every file once to find the runners and their iterations. Errors: not_found; invalid_input if a file holds
  // something else.
  static base::Expected<std::shared_ptr<ResultsReader>> open(const std::filesystem::path& path);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  // Runners are numbered in the order in which the files name them.
  [[nodiscard]] std::size_t runner_count() const { return runners_.size(); }
  [[nodiscard]] const std::string& runner_name(std::size_t runner) const { return runners_[runner].name; }
  [[nodiscard]] std::size_t iteration_count(std::size_t runner) const { return runners_[runner].iterations.size(); }
  // As in ResultsDocument. Not thread-safe: the files used last stay open.
  base::Expected<std::vector<ResultsDocument::StoredOutput>> outputs(std::size_t runner, std::size_t iteration);
  // Valid until an iteration is requested again.
  base::Expected<IterationArrays> arrays(std::size_t runner, std::size_t iteration);
  base::Expected<IterationResult> read(std::size_t runner, std::size_t iteration,
                                       const std::unordered_set<std::string>* wanted = nullptr);

 private:
  struct StoredIteration {
    std::size_t file = 0;
    std::size_t runner = 0;  // in the file
    std::size_t iteration = 0;
  };
  struct Runner {
    std::string name;
    std::vector<StoredIteration> iterations;
  };
  struct Opened {
    std::size_t file = 0;
    ResultsDocument document;
  };

  base::Expected<const ResultsDocument*> document(std::size_t file);
  std::filesystem::path path_;  // as passed to open()
  std::vector<std::filesystem::path> files_;
  std::vector<Runner> runners_;
  std::list<Opened> opened_;  // most recently used first
};

}  // namespace assay::data
