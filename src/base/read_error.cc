#include "base/read_error.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace assay::base {
namespace {

struct Advice {
  int error_number;
  const char* fix;
};

constexpr const char* kAllowReading = "Check the permissions of the file and of the folders that it is in";
constexpr const char* kCheckPath = "Check the path";

constexpr std::array kAdvice = {
    Advice{EACCES, kAllowReading},
    Advice{EPERM, kAllowReading},
    Advice{EIO, "Check the disk or the network drive"},
    Advice{ENOENT, kCheckPath},
    Advice{ENOTDIR, kCheckPath},
    Advice{ELOOP, "Check where the symbolic links on this path lead"},
    Advice{EMFILE, "Raise the limit on open files (ulimit -n, or resource.setrlimit() in Python)"},
};

}  // namespace

Error read_error(std::string_view action, std::string where, int error_number) {
  Error error = system_error(action, std::move(where), error_number);
  const auto* row = std::ranges::find(kAdvice, error_number, &Advice::error_number);
  error.fix = row == kAdvice.end() ? "" : row->fix;
  return error;
}

}  // namespace assay::base
