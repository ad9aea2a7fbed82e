// Moves the files that a check writes into folders by its verdict.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "base/log.h"
#include "reduce/verdicts/verdict.h"

namespace assay::reduce {

class ArtifactSorter {
 public:
  // `started` goes into the names, the same for all files of a run. `log` must outlive this object.
  ArtifactSorter(std::vector<std::filesystem::path> artifacts, std::filesystem::path folder,
                 std::chrono::system_clock::time_point started, base::Log& log);

  // Moves each artifact to FOLDER/good, FOLDER/bad or FOLDER/unresolved, as NAME_MM-DD-YY_HH-MM-SS_N3_PHASE.EXT. A
  // symbolic link is replaced by a copy of what it points to. If an artifact is missing, can't be moved, or its
  // destination exists, logs an error and leaves it.
  void sort(const Iteration& iteration, Verdict::Kind kind);

 private:
  void move(const std::filesystem::path& from, const std::filesystem::path& to);

  std::vector<std::filesystem::path> artifacts_;
  std::filesystem::path folder_;
  std::string time_;
  base::Log* log_;
};

}  // namespace assay::reduce
