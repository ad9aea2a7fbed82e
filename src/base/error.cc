#include "base/error.h"

#include <cerrno>
#include <cstring>

namespace assay::base {

std::string Error::message() const {
  std::string text = what;
  if (!where.empty()) text += " (in " + where + ")";
  if (!fix.empty()) text += ". " + fix;
  return text;
}

Error Error::within(std::string_view outer) && {
  where = where.empty() ? std::string(outer) : std::string(outer) + ": " + where;
  return std::move(*this);
}

Error system_error(std::string_view action, std::string where, int error_number) {
  Error error;
  error.kind = error_number == ENOENT || error_number == ENOTDIR ? ErrorKind::not_found : ErrorKind::io;
  error.what = std::string(action) + ": " + std::strerror(error_number);
  error.where = std::move(where);
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
      error.fix = "Free some space on that disk, or write somewhere else";
      break;
    case EFBIG:
      error.fix = "Raise the limit on the size of files (ulimit -f), or write somewhere else";
      break;
    case EMFILE:
      error.fix = "Raise the limit on open files (ulimit -n, or resource.setrlimit() in Python)";
      break;
    case EROFS:
    case EACCES:
    case EPERM:
      error.fix = "Check the permissions, or write somewhere else";
      break;
    case ENOENT:
    case ENOTDIR:
      error.fix = "Check the path";
      break;
    default:
      break;
  }
  return error;
}

}  // namespace assay::base
