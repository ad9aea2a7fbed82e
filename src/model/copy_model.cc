#include "model/copy_model.h"

#include <set>
#include <string>
#include <system_error>

#include "base/atomic_file.h"
#include "base/mapped_file.h"
#include "model/external_data.h"
#include "model/visit_tensors.h"
#include "model/weights.h"

namespace assay::model {
namespace fs = std::filesystem;

namespace {

base::Status copy_bytes(const fs::path& from, const fs::path& to) {
  std::error_code code;
  if (fs::equivalent(from, to, code)) return {};
  ASSAY_ASSIGN(const auto source, base::MappedFile::open(from));
  ASSAY_ASSIGN(base::AtomicFile target, base::AtomicFile::create(to));
  ASSAY_TRY(target.copy_range(source->fd(), 0, source->bytes().size()));
  return target.commit();
}

base::Expected<std::set<std::string>> locations_of(const Model& model) {
  std::set<std::string> locations;
  base::Status status;
  visit_tensors(model.proto, [&](const onnx::TensorProto& tensor, TensorRole) {
    if (!status || !is_external(tensor) || was_inline(tensor)) return;
    if (const auto data = external_data(tensor)) {
      locations.insert(data->location);
    } else {
      status = tl::make_unexpected(data.error());
    }
  });
  ASSAY_TRY(status);
  return locations;
}

}  // namespace

base::Status copy_model(const Model& model, const fs::path& path) {
  ASSAY_ASSIGN(const std::set<std::string> locations, locations_of(model));
  for (const std::string& location : locations) {
    ASSAY_ASSIGN(const fs::path source, resolve_location({model.data_folder, model.path}, location, location));
    ASSAY_TRY(copy_bytes(source, path.parent_path() / location));
  }
  return copy_bytes(model.path, path);
}

}  // namespace assay::model
