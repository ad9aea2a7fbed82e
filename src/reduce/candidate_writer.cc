#include "reduce/candidate_writer.h"

#include <system_error>
#include <utility>

#include "base/files.h"
#include "base/strings.h"
#include "model/save.h"

namespace assay::reduce {
namespace fs = std::filesystem;
namespace {

// A file with its weights inline stays below the 2 GiB of protobuf, with room for its nodes.
constexpr std::uint64_t kLargestInline = std::uint64_t{1900} << 20;

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
  if (options_.weights == IterWeights::external) {
    if (state_ != State::shared) {
      ASSAY_TRY(shared_.share_without_copy(original_, scratch_));
      ASSAY_TRY(copy_weights());
    }
    return &shared_;
  }
  if (bytes <= options_.inline_limit) return nullptr;
  if (state_ == State::unknown) {
    ASSAY_ASSIGN(const bool free, shared_.share_without_copy(original_, scratch_));
    state_ = free ? State::shared : State::costly;
  }
  if (state_ == State::costly) {
    if (bytes <= kLargestInline && spent_ + bytes < total_) {
      spent_ += bytes;
      return nullptr;
    }
    ASSAY_TRY(copy_weights());
  }
  return &shared_;
}

base::Status CandidateWriter::copy_weights() {
  if (total_ > options_.inline_limit) {
    log_.info(
        "Copying up to {} of weights beside the candidates, once. With --iter-artifact in the folder of their file "
        "that "
        "is not needed",
        base::format_bytes(total_));
  }
  if (base::Status status = shared_.copy(original_, scratch_, stop_); !status) {
    if (status.error().fix.empty()) {
      status.error().fix =
          "Put --iter-artifact where there is space, or in the folder of the weights: no copy is then made";
    }
    return status;
  }
  state_ = State::shared;
  return {};
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
