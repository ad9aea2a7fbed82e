// Writes candidates to files for checks, from several slots at once, and copies weights as little as possible.
//
// A candidate that contains its weights is a single file that can be copied and sent, but has to be smaller than 2 GiB.
// One that refers to weights in files next to it (shared_weights.h) costs as much as its nodes. `automatic` decides by
// the model alone, so that verdicts don't depend on the order of the checks:
//   1. If the model has up to kInlineLimit bytes of weights, candidates contain them.
//   2. Otherwise candidates refer to them, since each would be a copy of all its weights. Nothing is copied if the file
//      of the weights is in the artifact's folder or below it, or if the file system can clone it. If not, each weight
//      is copied once, with the first candidate that has it.
// Candidates are scratch files: they are renamed into place but not synced.
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

// Up to this many bytes of weights, candidates contain them.
inline constexpr std::uint64_t kInlineLimit = std::uint64_t{256} << 20;

// `linked` is like `external`, but uses hard links to weights in other folders instead of copying them.
enum class IterWeights { automatic, inlined, external, linked };

struct WriterOptions {
  std::filesystem::path artifact;  // candidates are written to its folder
  IterWeights weights = IterWeights::automatic;
  std::uint64_t inline_limit = kInlineLimit;
};

class CandidateWriter {
 public:
  // All candidates are derived from `original`. `scratch`, `stop` and `log` must outlive this object.
  CandidateWriter(const model::Model& original, WriterOptions options, ScratchFiles& scratch, const base::Stop& stop,
                  base::Log& log);

  // Thread-safe. Errors: io; invalid_input if the file would have 2 GiB or more; interrupted while weights are copied.
  base::Status write(const model::Model& candidate, const std::filesystem::path& path);
  // Returns false if a copy of the original's model file at the artifact's path wouldn't find its external data: that
  // is in another folder, or behind links that only the original may follow.
  [[nodiscard]] bool can_copy_original() const;
  // Copies the original's model file to `path`, byte for byte.
  [[nodiscard]] base::Status copy_original(const std::filesystem::path& path) const;

 private:
  // Creates and fills the files to which a candidate will refer.
  base::Status prepare_weights(const model::Model& candidate);
  static base::Status write_inline(const model::Model& candidate, const std::filesystem::path& path);

  WriterOptions options_;
  ScratchFiles& scratch_;
  const base::Stop& stop_;
  base::Log& log_;

  bool refer_;
  const model::Model original_;  // without its message unless refer_
  std::mutex mutex_;             // guards opening and filling shared_
  bool open_ = false;
  SharedWeights shared_;
};

}  // namespace assay::reduce
