// Keeps track of temporary files in the user's folders: candidates and the weights that they share. They are removed at
// the end, and the next run recognises and removes those of a run that was killed.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "reduce/verdicts/lock_file.h"

namespace assay::reduce {

// Keeps a list of its files in ".ARTIFACT.assay" next to the artifact; a name is added before its file is written. The
// list is locked while this object lives. Thread-safe.
class ScratchFiles {
 public:
  // Creates the folder and the list, and removes the files that a killed run left according to that list, including
  // temporary files of base::AtomicFile. Errors: invalid_input if another process holds the list; io.
  static base::Expected<std::unique_ptr<ScratchFiles>> claim(const std::filesystem::path& artifact, base::Log& log);
  ScratchFiles(const ScratchFiles&) = delete;
  ScratchFiles& operator=(const ScratchFiles&) = delete;
  // Removes the list and, unless keep() was called, the files.
  ~ScratchFiles();

  // Registers files of these names, in the artifact's folder, as ours. Syncs the list once. Errors: invalid_input if
  // one of them exists already (then none is registered); io.
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
