#include "blame/mixed_model.h"

#include "base/atomic_file.h"

namespace assay::blame {

base::Status MixedModel::write(const std::set<int>& keep, const std::filesystem::path& file) const {
  base::SilentLog silent;
  return save(keep, file, {.durability = base::Durability::process}, silent);
}

}  // namespace assay::blame
