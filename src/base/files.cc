#include "base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "base/atomic_file.h"
#include "base/mapped_file.h"
#include "base/read_error.h"

namespace assay::base {
namespace fs = std::filesystem;

bool exists(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

Expected<std::string> read_file(const fs::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return fail(read_error("cannot open", path.string(), errno));
  std::string content;
  struct stat info = {};
  if (fstat(fd, &info) == 0 && info.st_size > 0) content.reserve(static_cast<std::size_t>(info.st_size));
  std::vector<char> buffer(1 << 16);
  for (;;) {
    const ssize_t count = ::read(fd, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      Error error = read_error("cannot read", path.string(), errno);
      ::close(fd);
      return fail(std::move(error));
    }
    if (count == 0) break;
    content.append(buffer.data(), static_cast<std::size_t>(count));
  }
  ::close(fd);
  return content;
}

// Uses increment(code) because a range-based for loop would throw on errors.
Expected<std::vector<fs::path>> list_folder(const fs::path& path) {
  std::vector<fs::path> entries;
  std::error_code code;
  for (fs::directory_iterator entry(path, code), end; !code && entry != end; entry.increment(code)) {
    entries.push_back(entry->path());
  }
  if (code) return fail(read_error("cannot list the folder", path.string(), code.value()));
  std::ranges::sort(entries);
  return entries;
}

Status write_file(const fs::path& path, std::string_view bytes) {
  ASSAY_ASSIGN(AtomicFile file, AtomicFile::create(path));
  ASSAY_TRY(file.write(bytes));
  return file.commit();
}

Status copy_file(const fs::path& from, const fs::path& to, Durability durability) {
  ASSAY_ASSIGN(const auto source, MappedFile::open(from));
  ASSAY_ASSIGN(AtomicFile target, AtomicFile::create(to));
  ASSAY_TRY(target.copy_range(source->fd(), 0, source->bytes().size()));
  return target.commit(durability);
}

Expected<bool> have_same_bytes(const fs::path& first, const fs::path& second) {
  std::error_code code;
  if (fs::equivalent(first, second, code)) return true;
  ASSAY_ASSIGN(const auto one, MappedFile::open(first));
  ASSAY_ASSIGN(const auto other, MappedFile::open(second));
  return std::ranges::equal(one->bytes(), other->bytes());
}

}  // namespace assay::base
