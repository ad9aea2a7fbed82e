// Writes candidates as files for checks, for several slots at once, with as little copying of weights as can be.
//
// A candidate that holds its own weights can be copied and sent, and can be had of any model below 2 GiB. One that
// refers to weights in files beside it (shared_weights.h) costs what its nodes cost. `automatic`:
//   1. Of a model with up to kInlineLimit bytes of weights, candidates hold them.
//   2. Of a larger one they refer to them, in files beside them. That takes no copy where the file of the weights lies
//      in the artifact's folder or below it, or where the file system clones it; else each weight is copied once, with
//      the first candidate that has it. Holding them would copy them with every candidate.
// So it depends on the model alone, and a verdict is the same whatever the order of the checks. Candidates are scratch:
// renamed into place, but not synced.
#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>

#include "base/error.h"
#include "base/log.h"
#include "base/stop.h"
#include "model/model.h"
#include "reduce/candidates/scratch_files.h"
#include "reduce/candidates/shared_weights.h"

namespace assay::reduce {

// Bytes of weights up to which a model's candidates hold them themselves.
inline constexpr std::uint64_t kInlineLimit = std::uint64_t{256} << 20;

// linked: as external, by a hard link where the weights lie in another folder.
enum class IterWeights { automatic, inlined, external, linked };

struct WriterOptions {
  std::filesystem::path artifact;  // candidates lie in its folder
  IterWeights weights = IterWeights::automatic;
  std::uint64_t inline_limit = kInlineLimit;
};

class CandidateWriter {
 public:
  // Candidates come from `original`. `scratch`, `stop` and `log` must outlive this object.
  CandidateWriter(const model::Model& original, WriterOptions options, ScratchFiles& scratch, const base::Stop& stop,
                  base::Log& log);

  // Thread-safe. Errors: io; invalid_input for a model that would have 2 GiB; interrupted while weights are copied.
  base::Status write(const model::Model& candidate, const std::filesystem::path& path);
  // The very bytes of a file. False where that file has external data which does not lie beside `path` as well.
  base::Expected<bool> copy_original(const std::filesystem::path& path) const;

 private:
  // Has the files ready that a candidate is to refer to.
  base::Status prepare_weights(const model::Model& candidate);
  static base::Status write_inline(const model::Model& candidate, const std::filesystem::path& path);

  WriterOptions options_;
  ScratchFiles& scratch_;
  const base::Stop& stop_;
  base::Log& log_;

  bool refer_;
  const model::Model original_;  // with nodes and tensors only where candidates refer to its weights
  std::mutex mutex_;             // for shared_ until it is open, and for filling it
  bool open_ = false;
  SharedWeights shared_;
};

}  // namespace assay::reduce
