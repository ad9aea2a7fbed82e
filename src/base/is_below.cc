#include "base/is_below.h"

#include <algorithm>

namespace assay::base {

bool is_below(const std::filesystem::path& folder, const std::filesystem::path& path) {
  return std::ranges::mismatch(folder, path).in1 == folder.end();
}

}  // namespace assay::base
