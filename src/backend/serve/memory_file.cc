// Linux shows the descriptors of a process as files below /proc.
#include "backend/serve/memory_file.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "base/files.h"

namespace assay::backend {

std::optional<MemoryFile> MemoryFile::create(std::string_view contents) {
  MemoryFile file(worker::FileDescriptor(::memfd_create("assay", MFD_CLOEXEC)));
  if (!file.fd_.valid() || !file.append(contents)) return std::nullopt;
  return file;
}

bool MemoryFile::append(std::string_view contents) {
  while (!contents.empty()) {
    const ssize_t written = ::write(fd_.get(), contents.data(), contents.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    contents.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

std::string MemoryFile::path() const {
  return fmt::format("/proc/{}/fd/{}", ::getpid(), fd_.get());
}

base::Expected<std::shared_ptr<const base::MappedFile>> MemoryFile::map() const {
  return base::MappedFile::open(path());
}

std::string MemoryFile::text() const {
  return base::read_file(path()).value_or("");
}

}  // namespace assay::backend
