// A file that marks something as in use by a run, for as long as that run is alive.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "base/error.h"

namespace assay::reduce {

// The kernel drops the lock (flock) when the process ends. The destructor removes the file; if the process is killed,
// the next run that claims the file removes it.
class LockFile {
 public:
  struct Words {         // for error messages
    std::string cannot;  // "cannot write candidates here"
    std::string in_use;  // "another run is writing its candidates here"
    std::string where;   // the path to report
    std::string fix;     // what the user can do, for all errors
  };
  // Creates the file, and its folder, and locks it. Errors: invalid_input if another process holds the lock; io if the
  // file can't be created.
  static base::Expected<std::unique_ptr<LockFile>> claim(const std::filesystem::path& path, const Words& words);
  ~LockFile();
  LockFile(const LockFile&) = delete;
  LockFile& operator=(const LockFile&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] int fd() const { return fd_; }  // open for reading and writing

 private:
  LockFile(std::filesystem::path path, int fd) : path_(std::move(path)), fd_(fd) {}
  std::filesystem::path path_;  // empty until locked: then the file isn't ours to remove
  int fd_;
};

}  // namespace assay::reduce
