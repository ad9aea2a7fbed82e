#include "reduce/candidates/candidate_writer.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "base/strings.h"
#include "model/external_data.h"
#include "model/save.h"
#include "model/serialize.h"

namespace assay::reduce {
namespace fs = std::filesystem;
namespace {

// Returns whether a copy of the model's file at `copy` would find the model's external data.
bool would_find_data(const model::Model& model, const fs::path& copy) {
  return std::ranges::all_of(*model.files, [&](const auto& entry) {
    const auto& [location, file] = entry;
    if (location.starts_with('#')) return true;
    const auto found = model::resolve_location({.folder = copy.parent_path(), .model_file = {}}, location, {});
    std::error_code code;
    return found && fs::equivalent(*found, file->path(), code);
  });
}

}  // namespace

CandidateWriter::CandidateWriter(const model::Model& original, WriterOptions options, ScratchFiles& scratch,
                                 const base::Stop& stop, base::Log& log)
    : options_(std::move(options)),
      scratch_(scratch),
      stop_(stop),
      log_(log),
      refer_(
          options_.weights == IterWeights::external || options_.weights == IterWeights::linked ||
          (options_.weights == IterWeights::automatic && bytes_by_reference(original.proto) > options_.inline_limit)),
      original_(refer_ ? original : model::without_message(original)),
      shared_(options_.artifact,
              options_.weights == IterWeights::linked ? SharedWeights::HardLinks::yes : SharedWeights::HardLinks::no) {}

base::Status CandidateWriter::write(const model::Model& candidate, const fs::path& path) {
  if (candidate.weights_ignored || !refer_) return write_inline(candidate, path);
  ASSAY_TRY(prepare_weights(candidate));
  model::Model referring = candidate;
  ASSAY_TRY(shared_.refer(referring));
  return model::save(referring, path, {.leave_external = true, .durability = base::Durability::process});
}

base::Status CandidateWriter::write_inline(const model::Model& candidate, const fs::path& path) {
  base::Status status = model::save(candidate, path, {.inline_only = true, .durability = base::Durability::process});
  if (status) return status;
  const base::Expected<std::uint64_t> bytes = model::inline_bytes(candidate);
  if (bytes && *bytes > model::kLargestFile) {
    status.error().fix = "Set --iter-weights to external or auto, so that candidates refer to their weights";
  }
  return status;
}

base::Status CandidateWriter::prepare_weights(const model::Model& candidate) {
  const std::lock_guard lock(mutex_);
  if (!open_) ASSAY_TRY(shared_.open(original_, scratch_));
  open_ = true;
  if (const std::uint64_t bytes = shared_.missing(candidate); bytes > options_.inline_limit) {
    log_.info(
        "Copying {} of weights next to the candidates, once. To avoid this, put --iter-artifact into the weights' "
        "folder or use --iter-weights linked.",
        base::format_bytes(bytes));
  }
  base::Status status = shared_.fill(candidate, stop_);
  if (!status && status.error().kind == base::ErrorKind::io) {
    status.error().fix =
        "Put --iter-artifact on a disk with more space, or into the folder of the weights, which aren't copied then";
  }
  return status;
}

bool CandidateWriter::can_copy_original() const {
  return would_find_data(original_, options_.artifact);
}

base::Status CandidateWriter::copy_original(const fs::path& path) const {
  return base::copy_file(original_.path, path, base::Durability::process);
}

}  // namespace assay::reduce
