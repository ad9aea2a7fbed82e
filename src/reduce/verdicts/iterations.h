// What surrounds each iteration of a debugging run, whatever is judged in it: the replay file, the file that tells the
// check which iteration it is, the artifacts that it leaves.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "reduce/verdicts/lock_file.h"
#include "reduce/verdicts/oracle.h"
#include "reduce/verdicts/replay.h"
#include "reduce/verdicts/sort_artifacts.h"

namespace assay::reduce {

struct IterationOptions {
  std::optional<std::filesystem::path> info;  // {"iteration": N}, there while the check runs
  std::vector<std::filesystem::path> artifacts;
  std::filesystem::path artifact_folder = "polygraphy_artifacts";
  std::optional<std::filesystem::path> load_replay;
  std::filesystem::path save_replay = "polygraphy_debug_replay.json";  // and NAME_skip_current beside it
  bool claim_replay = false;  // refuse to write a replay file that another run writes
};

class Iterations {
 public:
  // Loads the replay, and removes temporary files that a killed run has left beside the one to be written. Errors:
  // those of Replay::load; with claim_replay: invalid_input if another run writes the replay file, io if there is no
  // place for one. `log` must outlive this object.
  static base::Expected<Iterations> make(IterationOptions options, std::chrono::system_clock::time_point started,
                                         base::Log& log);

  // The verdict of `judge`, or that of the replay: then `judge` is not called. A replayed verdict about a model of
  // another size than `nodes` belongs to another run, and is not taken. While `judge` runs, the skip_current file says
  // that this iteration failed, so that a run that takes the machine down can go on behind it.
  base::Expected<Verdict> run(const Iteration& iteration, std::optional<int> nodes,
                              const std::function<base::Expected<Verdict>()>& judge);

  // An iteration whose verdict was known without a check and without the replay. It goes into the replay file with the
  // next run(), or with save().
  void note(const Iteration& iteration, std::optional<int> nodes, const Verdict& verdict);
  base::Status save();

 private:
  Iterations(IterationOptions options, std::unique_ptr<LockFile> claim, ArtifactSorter sorter, Replay loaded,
             base::Log& log);
  std::optional<Verdict> replayed(const Iteration& iteration, std::optional<int> nodes);
  base::Expected<Verdict> judge_with_info(const Iteration& iteration,
                                          const std::function<base::Expected<Verdict>()>& judge);

  IterationOptions options_;
  std::unique_ptr<LockFile> claim_;  // null: not claimed
  ArtifactSorter sorter_;
  Replay loaded_;
  Replay saved_;
  bool is_saved_ = true;
  base::Log* log_;
};

}  // namespace assay::reduce
