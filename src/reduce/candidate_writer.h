// Writes candidates as files for checks, for several slots at once, with as little copying of weights as can be.
//
// A candidate that holds its own weights can be copied and sent, and can be had of any model below 2 GiB. One that
// refers to weights in files beside it (shared_weights.h) costs what its nodes cost. What is cheaper over a reduction
// depends on where the weights lie, so `automatic` decides late:
//   1. Up to kInlineLimit bytes of its own weights a candidate holds them.
//   2. Above, it refers to them where that takes no copy: their file lies in the artifact's folder, or the file system
//      clones it.
//   3. Else it still holds them, as long as all candidates so written sum up to less than one copy of all weights
//      would; then that copy is made, and later ones refer to it. So never more than twice the bytes are written that
//      knowing all candidates beforehand would have taken (the ski rental problem); the whole model as a candidate
//      makes the copy at once.
// Candidates are scratch: renamed into place, but not synced.
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

// Bytes of weights that a candidate always holds itself.
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
  enum class State { unknown, costly, shared } state_ = State::unknown;
  std::uint64_t total_ = 0;  // bytes of all weights
  std::uint64_t spent_ = 0;  // written in candidates that might have referred to a copy
};

}  // namespace assay::reduce
