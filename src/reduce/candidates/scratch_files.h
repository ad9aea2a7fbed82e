// Files of ours among the user's: candidates and what they share. They go at the end, and those of a run that was
// killed are known as ours to the next one.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "reduce/verdicts/lock_file.h"

namespace assay::reduce {

// Keeps a list, ".ARTIFACT.assay" beside the artifact, of the names of its files, each written before the file is.
// While this object lives the list is locked. Thread-safe.
class ScratchFiles {
 public:
  // Removes what a run that was killed has left of the same list, temporary files of base::AtomicFile included. Makes
  // the folder. Errors: invalid_input where another process holds the list; io.
  static base::Expected<std::unique_ptr<ScratchFiles>> claim(const std::filesystem::path& artifact, base::Log& log);
  ScratchFiles(const ScratchFiles&) = delete;
  ScratchFiles& operator=(const ScratchFiles&) = delete;
  // Removes the files, unless told to keep them, and the list.
  ~ScratchFiles();

  // From now on files of these names, in the artifact's folder, are ours. Syncs the list, once. Errors: invalid_input
  // where there is one of them; then none is taken.
  base::Status add(const std::vector<std::filesystem::path>& paths);
  base::Status add(const std::filesystem::path& path) { return add(std::vector{path}); }
  void keep() { keep_ = true; }

 private:
  explicit ScratchFiles(std::unique_ptr<LockFile> list) : list_(std::move(list)) {}
  base::Status remove_left_over(base::Log& log);

  std::unique_ptr<LockFile> list_;
  bool keep_ = false;
  std::mutex mutex_;
  std::vector<std::filesystem::path> files_;
};

}  // namespace assay::reduce
