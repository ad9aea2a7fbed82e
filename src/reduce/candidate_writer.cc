#include "reduce/candidate_writer.h"

#include <system_error>
#include <utility>

#include "base/files.h"
#include "base/strings.h"
#include "model/save.h"

namespace assay::reduce {
namespace fs = std::filesystem;
namespace {

bool has_external_data(const model::Model& model) {
  for (const auto& [location, file] : *model.files) {
    if (!location.starts_with('#')) return true;
  }
  return false;
}

}  // namespace

CandidateWriter::CandidateWriter(const model::Model& original, WriterOptions options, ScratchFiles& scratch,
                                 const base::Stop& stop, base::Log& log)
    : original_(original),
      options_(std::move(options)),
      scratch_(scratch),
      stop_(stop),
      log_(log),
      shared_(options_.artifact),
      total_(bytes_by_reference(original.proto)) {}

base::Status CandidateWriter::write(const model::Model& candidate, const fs::path& path) {
  if (candidate.weights_ignored || options_.weights == IterWeights::inlined) return write_inline(candidate, path);
  ASSAY_ASSIGN(const SharedWeights* shared, weights_for(bytes_by_reference(candidate.proto)));
  if (shared == nullptr) return write_inline(candidate, path);
  model::Model referring = candidate;
  ASSAY_TRY(shared->refer(referring));
  return model::save(referring, path, {.leave_external = true, .durability = base::Durability::process});
}

base::Status CandidateWriter::write_inline(const model::Model& candidate, const fs::path& path) {
  base::Status status = model::save(candidate, path, {.durability = base::Durability::process});
  if (!status && status.error().kind == base::ErrorKind::invalid_input) {
    status.error().fix = "Let candidates refer to their weights with --iter-weights external, or auto";
  }
  return status;
}

base::Expected<const SharedWeights*> CandidateWriter::weights_for(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  const bool always = options_.weights == IterWeights::external;
  if (bytes == 0 || (!always && total_ <= options_.inline_limit)) return nullptr;
  if (state_ == State::unknown) {
    ASSAY_ASSIGN(const bool free, shared_.share_without_copy(original_, scratch_));
    state_ = free ? State::free : State::costly;
  }
  if (!always && state_ != State::free && bytes <= options_.inline_limit) return nullptr;
  if (state_ == State::costly || (always && state_ == State::free)) ASSAY_TRY(copy_weights());
  return &shared_;
}

base::Status CandidateWriter::copy_weights() {
  if (state_ == State::costly && total_ > options_.inline_limit) {
    log_.info(
        "Copying up to {} of weights beside the candidates, once; with --iter-artifact in their folder that is "
        "not needed",
        base::format_bytes(total_));
  }
  base::Status status = shared_.copy(original_, scratch_, stop_);
  if (!status && status.error().kind == base::ErrorKind::io) {
    status.error().fix =
        "Put --iter-artifact where there is space, or in the folder of the weights: then none are copied";
  }
  if (status) state_ = State::copied;
  return status;
}

base::Expected<bool> CandidateWriter::copy_original(const fs::path& path) const {
  std::error_code code;
  const auto folder_of = [&](const fs::path& file) {
    return fs::canonical(file.has_parent_path() ? file.parent_path() : fs::path("."), code);
  };
  if (has_external_data(original_) && folder_of(original_.path) != folder_of(path)) return false;
  ASSAY_ASSIGN(const auto file, base::MappedFile::open(original_.path));
  ASSAY_ASSIGN(base::AtomicFile copy, base::AtomicFile::create(path));
  ASSAY_TRY(copy.copy_range(file->fd(), 0, file->bytes().size()));
  ASSAY_TRY(copy.commit(base::Durability::process));
  return true;
}

}  // namespace assay::reduce
