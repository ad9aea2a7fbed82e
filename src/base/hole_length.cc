#include "base/hole_length.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace assay::base {

std::uint64_t hole_length(int fd, std::uint64_t offset, std::uint64_t length) {
  if (length == 0) return 0;
  const auto begin = static_cast<off_t>(offset);
  const off_t data = ::lseek(fd, begin, SEEK_DATA);
  if (data >= 0) return std::min(static_cast<std::uint64_t>(data - begin), length);
  // ENXIO: no data up to the end of the file.
  struct stat info = {};
  const bool whole =
      errno == ENXIO && ::fstat(fd, &info) == 0 && static_cast<std::uint64_t>(info.st_size) >= offset + length;
  return whole ? length : 0;
}

}  // namespace assay::base
