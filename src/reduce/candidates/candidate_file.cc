#include "reduce/candidates/candidate_file.h"

#include <system_error>
#include <utility>

namespace assay::reduce {

base::Expected<CandidateFile> CandidateFile::make(const model::Model& original, const WriterOptions& options,
                                                  const base::Stop& stop, base::Log& log) {
  ASSAY_ASSIGN(auto scratch, ScratchFiles::claim(options.artifact, log));
  ASSAY_TRY(scratch->add(options.artifact));
  auto writer = std::make_unique<CandidateWriter>(original, options, *scratch, stop, log);
  return CandidateFile(options.artifact, std::move(scratch), std::move(writer));
}

base::Status CandidateFile::write(const Candidate& candidate) {
  if (!candidate.verbatim) return writer_->write(candidate.model, path_);
  ASSAY_ASSIGN(const bool copied, writer_->copy_original(path_));
  if (copied) return {};
  return base::fail(base::ErrorKind::unsupported, "a model cannot be copied away from its external data",
                    candidate.verbatim->string(), "Put --iter-artifact into the model's folder");
}

void CandidateFile::remove() {
  std::error_code ignored;
  if (remove_) std::filesystem::remove(path_, ignored);
}

void CandidateFile::keep() {
  remove_ = false;
  scratch_->keep();
}

}  // namespace assay::reduce
