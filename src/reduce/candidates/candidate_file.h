// The file that a check looks at, where there is one check at a time.
#pragma once

#include <filesystem>
#include <memory>

#include "base/error.h"
#include "base/log.h"
#include "base/stop.h"
#include "model/model.h"
#include "reduce/candidates/candidate_writer.h"
#include "reduce/candidates/scratch_files.h"
#include "reduce/verdicts/oracle.h"

namespace assay::reduce {

class CandidateFile {
 public:
  // `original`: what all candidates come from. `stop` and `log` must outlive the result. Errors: invalid_input where
  // something is at the artifact's path already (it may be the user's), or another run uses it.
  static base::Expected<CandidateFile> make(const model::Model& original, const WriterOptions& options,
                                            const base::Stop& stop, base::Log& log);
  // Removes what write() wrote, unless told to keep it.
  ~CandidateFile() = default;
  CandidateFile(CandidateFile&&) noexcept = default;
  CandidateFile& operator=(CandidateFile&&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  // Errors: those of CandidateWriter::write.
  base::Status write(const Candidate& candidate);
  void remove();
  void keep();
  // Makes remove() leave the file, which the next write() or the end of this object takes away.
  void leave() { remove_ = false; }

 private:
  CandidateFile(std::filesystem::path path, std::unique_ptr<ScratchFiles> scratch,
                std::unique_ptr<CandidateWriter> writer)
      : path_(std::move(path)), scratch_(std::move(scratch)), writer_(std::move(writer)) {}

  std::filesystem::path path_;
  std::unique_ptr<ScratchFiles> scratch_;
  std::unique_ptr<CandidateWriter> writer_;
  bool remove_ = true;
};

}  // namespace assay::reduce
