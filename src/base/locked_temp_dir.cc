// Between its creation and its lock, a folder looks abandoned. So folders that were changed in the last minute stay.
#include "base/locked_temp_dir.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <utility>

#include "base/files.h"
#include "base/make_temp_folder.h"

namespace assay::base {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kRandom = 6;  // characters: see make_temp_folder()
constexpr auto kYoung = std::chrono::minutes(1);

// Returns the descriptor of a folder that this process has locked, or -1.
int lock(const fs::path& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0 || ::flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
  ::close(fd);
  return -1;
}

bool is_young(int folder) {
  struct stat info = {};
  if (::fstat(folder, &info) != 0) return true;
  const auto changed = std::chrono::system_clock::from_time_t(info.st_mtim.tv_sec);
  return std::chrono::system_clock::now() - changed < kYoung;
}

void remove_abandoned_folders(const fs::path& parent, const std::string& prefix) {
  const auto entries = list_folder(parent);
  if (!entries) return;
  for (const fs::path& entry : *entries) {
    const std::string name = entry.filename().string();
    if (!name.starts_with(prefix) || name.size() != prefix.size() + kRandom) continue;
    const int fd = lock(entry);
    if (fd < 0) continue;
    std::error_code ignored;
    if (!is_young(fd)) fs::remove_all(entry, ignored);
    ::close(fd);
  }
}

}  // namespace

LockedTempDir::LockedTempDir(LockedTempDir&& other) noexcept
    : path_(std::exchange(other.path_, {})), lock_(std::exchange(other.lock_, -1)) {}

LockedTempDir& LockedTempDir::operator=(LockedTempDir&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(lock_, other.lock_);
  return *this;
}

LockedTempDir::~LockedTempDir() {
  if (path_.empty()) return;
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  if (lock_ >= 0) ::close(lock_);
}

Expected<LockedTempDir> LockedTempDir::create(const std::string& kind, const fs::path& parent) {
  ASSAY_ASSIGN(const fs::path base, temp_parent(parent));
  const std::string prefix = "assay-" + kind + "-";
  remove_abandoned_folders(base, prefix);
  ASSAY_ASSIGN(fs::path folder, make_temp_folder(base, prefix));
  const int fd = lock(folder);
  return LockedTempDir(std::move(folder), fd);
}

}  // namespace assay::base
