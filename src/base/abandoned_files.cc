#include "base/abandoned_files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <string>

#include "base/files.h"
#include "base/follow_links.h"

namespace assay::base {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kInfix = ".assay-";
constexpr std::size_t kRandom = 6;  // letters or digits

void remove_if_abandoned(const fs::path& file) {
  const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return;
  struct stat info = {};
  // This can't remove a finished file: a writer renames its file before it unlocks it, so the old name is gone by then.
  if (::fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && ::flock(fd, LOCK_EX | LOCK_NB) == 0) {
    ::unlink(file.c_str());
  }
  ::close(fd);
}

}  // namespace

bool is_temporary_of(std::string_view file, std::string_view name) {
  const std::string prefix = "." + std::string(name) + std::string(kInfix);
  return file.size() == prefix.size() + kRandom && file.starts_with(prefix) &&
         std::ranges::all_of(file.substr(prefix.size()), [](unsigned char c) { return std::isalnum(c) != 0; });
}

void remove_abandoned(const fs::path& path) {
  const auto target = follow_links(path);  // AtomicFile's temporary file is next to it
  if (!target) return;
  remove_abandoned(target->has_parent_path() ? target->parent_path() : fs::path("."), {target->filename().string()});
}

void remove_abandoned(const fs::path& folder, const std::set<std::string>& names) {
  const auto entries = list_folder(folder);
  if (!entries) return;
  for (const fs::path& entry : *entries) {
    const std::string file = entry.filename().string();
    const std::size_t end = file.rfind(kInfix);
    if (end == std::string::npos || end == 0) continue;
    const std::string name = file.substr(1, end - 1);
    if (names.contains(name) && is_temporary_of(file, name)) remove_if_abandoned(entry);
  }
}

}  // namespace assay::base
