// The lock is flock() on the file. Its owner unlinks the file while it still holds the lock; so after locking, claim()
// checks that the path still names the file it opened, and tries again if it doesn't.
#include "reduce/verdicts/lock_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

namespace assay::reduce {
namespace fs = std::filesystem;
namespace {

constexpr int kTries = 100;

bool is_same_file(int fd, const fs::path& path) {
  struct stat open = {};
  struct stat named = {};
  return ::fstat(fd, &open) == 0 && ::stat(path.c_str(), &named) == 0 && open.st_dev == named.st_dev &&
         open.st_ino == named.st_ino;
}

// A killed process keeps its locks until a child that it was about to start has exited, too, so this waits a second.
bool is_locked_by_another(int fd) {
  constexpr int kLooks = 50;
  for (int i = 0; i < kLooks; ++i) {
    if (::flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

base::Error cannot(const LockFile::Words& words, const fs::path& path, int error_number) {
  base::Error error = base::system_error(words.cannot, path.string(), error_number);
  error.fix = words.fix;
  return error;
}

}  // namespace

base::Expected<std::unique_ptr<LockFile>> LockFile::claim(const fs::path& path, const Words& words) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  std::error_code code;
  fs::create_directories(folder, code);
  if (code) return base::fail(cannot(words, folder, code.value()));
  for (int i = 0; i < kTries; ++i) {
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd < 0) return base::fail(cannot(words, path, errno));
    std::unique_ptr<LockFile> file(new LockFile({}, fd));
    if (is_locked_by_another(fd)) {
      return base::fail(base::ErrorKind::invalid_input, words.in_use, words.where, words.fix);
    }
    if (!is_same_file(fd, path)) continue;  // its owner removed it between open() and flock()
    file->path_ = path;
    return file;
  }
  return base::fail(base::ErrorKind::io, words.cannot + ": other runs keep taking and releasing it", path.string(),
                    words.fix);
}

LockFile::~LockFile() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove(path_, ignored);
  ::close(fd_);
}

}  // namespace assay::reduce
