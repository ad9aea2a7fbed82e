#include "base/absolute_path.h"

#include <system_error>

namespace assay::base {

std::filesystem::path absolute_path(const std::filesystem::path& path) {
  std::error_code code;
  std::filesystem::path absolute = std::filesystem::absolute(path, code);
  return code ? path : absolute;
}

}  // namespace assay::base
