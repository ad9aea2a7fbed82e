// Writes candidates as files for checks, for several slots at once, with as little copying of weights as can be.
//
// A candidate that holds its own weights can be copied and sent, and can be had of any model below 2 GiB. One that
// refers to weights in files beside it (shared_weights.h) costs what its nodes cost. `automatic`:
//   1. Of a model with up to kInlineLimit bytes of weights, candidates hold them.
//   2. Of a larger one they refer to them where that takes no copy: the file of the weights lies in the artifact's
//      folder or below it, or the file system clones it.
//   3. Else those with up to kInlineLimit bytes of their own weights hold them, and the first larger one has all
//   weights
//      copied beside it, once. A reduction begins with the whole model, so that nothing is cheaper; one that goes on
//      where it stopped, with the large candidates behind it, needs no copy.
// Which it is depends on the candidate alone and not on those before it: a verdict has to be the same whatever the
// order of the checks. Candidates are scratch: renamed into place, but not synced.
#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>

#include "base/error.h"
#include "base/log.h"
#include "base/stop.h"
#include "model/model.h"
#include "reduce/scratch_files.h"
#include "reduce/shared_weights.h"

namespace assay::reduce {

// Bytes of weights that a candidate may hold itself without a second thought.
inline constexpr std::uint64_t kInlineLimit = std::uint64_t{256} << 20;

enum class IterWeights { automatic, inlined, external };

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
  // The files that a candidate with so many bytes of weights is to refer to; null: it holds them.
  base::Expected<const SharedWeights*> weights_for(std::uint64_t bytes);
  base::Status copy_weights();
  static base::Status write_inline(const model::Model& candidate, const std::filesystem::path& path);

  const model::Model original_;  // weights by reference, so small
  WriterOptions options_;
  ScratchFiles& scratch_;
  const base::Stop& stop_;
  base::Log& log_;

  std::mutex mutex_;
  SharedWeights shared_;
  enum class State { unknown, costly, copied, free } state_ = State::unknown;
  std::uint64_t total_ = 0;  // bytes of all weights
};

}  // namespace assay::reduce
