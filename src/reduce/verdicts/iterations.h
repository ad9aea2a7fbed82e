// The files around each iteration of a debugging run, whatever it judges: the replay file, the file that tells the
// check the number of the iteration, and the artifacts that the check writes.
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
#include "reduce/verdicts/replay.h"
#include "reduce/verdicts/sort_artifacts.h"
#include "reduce/verdicts/verdict.h"

namespace assay::reduce {

struct IterationSetup {
  std::optional<std::filesystem::path> info;  // holds {"iteration": N} while the check runs
  std::vector<std::filesystem::path> artifacts;
  std::filesystem::path artifact_folder = "polygraphy_artifacts";
  std::optional<std::filesystem::path> load_replay;
  std::filesystem::path save_replay = "polygraphy_debug_replay.json";  // and NAME_skip_current next to it
  bool claim_replay = false;  // fail if another run is writing the same replay file
};

// Finds the verdict of an iteration: runs a check, asks a person, or looks it up.
using FindVerdict = std::function<base::Expected<Verdict>()>;

class Iterations {
 public:
  // Loads the replay, and removes temporary files that killed runs left next to the files to be written. `started` goes
  // into the names of artifacts. `log` must outlive this object. Errors: those of Replay::load; with claim_replay also
  // invalid_input if another run is writing the replay file, and io if its lock file can't be created.
  static base::Expected<Iterations> make(IterationSetup setup, std::chrono::system_clock::time_point started,
                                         base::Log& log);

  // Returns the verdict of the replay or, if it has none, that of `judge`. A replayed verdict about a model with a
  // number of nodes other than `nodes`, or without one, belongs to a different run and is ignored. While `judge` runs,
  // the skip_current file says that this iteration failed: if the check takes the machine down, a run that loads that
  // file skips the iteration. It remains if the run is interrupted, but not after another error of `judge`. Errors:
  // those of `judge`; io.
  base::Expected<Verdict> run(const Iteration& iteration, std::optional<int> nodes, const FindVerdict& judge);

  // Returns the verdict of `judge`, which gets the number and whose artifacts are sorted as in run(). The replay files
  // don't change: a run that replays them repeats this one. Errors: those of `judge`; io.
  base::Expected<Verdict> run_unsaved(const Iteration& iteration, const FindVerdict& judge);

  // Adds an iteration whose verdict was known without a check or the replay. It is written with the next run() or
  // save().
  void note(const Iteration& iteration, std::optional<int> nodes, const Verdict& verdict);
  base::Status save();

  [[nodiscard]] const std::filesystem::path& save_replay() const { return setup_.save_replay; }

 private:
  Iterations(IterationSetup setup, std::unique_ptr<LockFile> claim, ArtifactSorter sorter, Replay loaded,
             base::Log& log);
  std::optional<Verdict> replayed(const Iteration& iteration, std::optional<int> nodes);
  base::Expected<Verdict> judge_with_info(const Iteration& iteration, const FindVerdict& judge);
  [[nodiscard]] base::Error end_without_verdict(base::Error error) const;

  IterationSetup setup_;
  std::unique_ptr<LockFile> claim_;  // null: not claimed
  ArtifactSorter sorter_;
  Replay loaded_;
  Replay saved_;
  std::optional<ReplayEntry> noted_;  // for the skip_current file, which always names the last iteration as failed
  bool is_saved_ = true;
  base::Log* log_;
};

}  // namespace assay::reduce
