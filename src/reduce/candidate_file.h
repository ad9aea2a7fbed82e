// The file that a check looks at.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "base/error.h"
#include "model/model.h"
#include "reduce/candidate_writer.h"
#include "reduce/oracle.h"

namespace assay::reduce {

class CandidateFile {
 public:
  // Errors: invalid_input where something is at `path` already: it may be the user's.
  static base::Expected<CandidateFile> make(std::filesystem::path path);
  // Removes what write() wrote, unless told to keep it.
  ~CandidateFile();
  CandidateFile(CandidateFile&& other) noexcept;
  CandidateFile& operator=(CandidateFile&&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  // Gives a model whose candidates this file can hold: the same one, or, where it has more weights than kInlineLimit,
  // one whose weights lie in a new file beside the candidate, written once (shared blocks where the file system can).
  // An engine takes external data from the model's own folder only. The new file goes with this object.
  base::Expected<model::Model> share_weights(model::Model model);

  base::Status write(const Candidate& candidate);
  void remove();
  void keep() { keep_ = true; }

 private:
  explicit CandidateFile(std::filesystem::path path) : path_(std::move(path)) {}

  std::filesystem::path path_;
  std::optional<std::filesystem::path> weights_;  // what share_weights() made
  bool keep_ = false;
};

}  // namespace assay::reduce
