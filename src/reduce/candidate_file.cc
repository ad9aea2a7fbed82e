// Small candidates hold their weights themselves, so that a check may copy or send them. Large ones refer to one file
// that all of them share: each then costs what its nodes cost.
#include "reduce/candidate_file.h"

#include <system_error>
#include <utility>

#include "base/files.h"
#include "model/external_data.h"
#include "model/load.h"
#include "model/save.h"
#include "model/visit_tensors.h"
#include "model/weights.h"

namespace assay::reduce {
namespace fs = std::filesystem;
namespace {

std::uint64_t weight_bytes(const model::Model& model) {
  std::uint64_t bytes = 0;
  model::visit_tensors(model.proto, [&](const onnx::TensorProto& tensor, model::TensorRole) {
    if (model::is_external(tensor)) bytes += model::data_bytes(tensor);
  });
  return bytes;
}

}  // namespace

base::Expected<CandidateFile> CandidateFile::make(fs::path path) {
  std::error_code code;
  if (fs::exists(fs::symlink_status(path, code))) {
    return base::fail(base::ErrorKind::invalid_input, "the file for candidates is there already, and may be yours",
                      path.string(), "Remove it, or name another with --iter-artifact");
  }
  return CandidateFile(std::move(path));
}

CandidateFile::CandidateFile(CandidateFile&& other) noexcept
    : path_(std::move(other.path_)), weights_(std::exchange(other.weights_, std::nullopt)), keep_(other.keep_) {
  other.path_.clear();
}

CandidateFile::~CandidateFile() {
  if (path_.empty()) return;
  remove();
  std::error_code ignored;
  if (weights_ && !keep_) fs::remove(*weights_, ignored);
}

base::Expected<model::Model> CandidateFile::share_weights(model::Model model) {
  if (model.weights_ignored || weight_bytes(model) <= kInlineLimit) return model;
  const std::string name = path_.filename().string() + ".weights";
  const fs::path original = model.path;
  weights_ = path_.parent_path() / name;
  if (std::error_code code; fs::exists(*weights_, code)) {
    return base::fail(base::ErrorKind::invalid_input, "the file for the weights of candidates is there already",
                      std::exchange(weights_, std::nullopt)->string(), "Remove it, or name another --iter-artifact");
  }
  ASSAY_TRY(model::save(model, path_, {.external_data_path = name}));
  ASSAY_ASSIGN(model::Model shared, model::load(path_));
  remove();
  shared.path = original;
  return shared;
}

base::Status CandidateFile::write(const Candidate& candidate) {
  if (candidate.verbatim) {
    ASSAY_ASSIGN(const auto file, base::MappedFile::open(*candidate.verbatim));
    ASSAY_ASSIGN(base::AtomicFile copy, base::AtomicFile::create(path_));
    ASSAY_TRY(copy.copy_range(file->fd(), 0, file->bytes().size()));
    return copy.commit();
  }
  model::SaveOptions options;
  options.leave_external = weights_ && weight_bytes(candidate.model) > kInlineLimit;
  return model::save(candidate.model, path_, options);
}

void CandidateFile::remove() {
  std::error_code ignored;
  if (!keep_) fs::remove(path_, ignored);
}

}  // namespace assay::reduce
