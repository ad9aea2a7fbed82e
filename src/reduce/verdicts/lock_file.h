// A file that says that a run uses something, for as long as the run lives.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "base/error.h"

namespace assay::reduce {

// The lock (flock) goes with the process. The file goes with this object, or, if the process is killed, with the next
// run that claims it.
class LockFile {
 public:
  struct Words {         // of errors
    std::string cannot;  // "cannot write candidates"
    std::string in_use;  // "another run writes its candidates here"
    std::string where;   // what is claimed
    std::string fix;     // what to do about either
  };
  // Makes the file's folder. Errors: invalid_input if another process holds the lock; io if the file can't be made.
  static base::Expected<std::unique_ptr<LockFile>> claim(const std::filesystem::path& path, const Words& words);
  ~LockFile();
  LockFile(const LockFile&) = delete;
  LockFile& operator=(const LockFile&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] int fd() const { return fd_; }  // open to read and to write

 private:
  LockFile(std::filesystem::path path, int fd) : path_(std::move(path)), fd_(fd) {}
  std::filesystem::path path_;  // empty: not ours to remove
  int fd_;
};

}  // namespace assay::reduce
