#include "model/copy_model.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/files.h"
#include "model/external_data.h"
#include "model/visit_tensors.h"

namespace assay::model {
namespace fs = std::filesystem;

namespace {

using base::ErrorKind;
using base::fail;

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

// The model chooses the names of these files, and the user doesn't see them: replacing a file could ruin another model.
base::Expected<bool> is_there(const fs::path& weights, const fs::path& target, const fs::path& model_path) {
  if (target.lexically_normal() == model_path.lexically_normal()) {
    return fail(ErrorKind::invalid_input, "the model looks for its weights in a file of this name", model_path.string(),
                "Choose another name");
  }
  std::error_code code;
  if (!fs::exists(fs::symlink_status(target, code))) return false;
  ASSAY_ASSIGN(const bool same, base::have_same_bytes(weights, target));
  if (same) return true;
  return fail(ErrorKind::invalid_input, "the weights of the model would replace this file", target.string(),
              "Choose another folder");
}

}  // namespace

base::Status copy_model(const Model& model, const fs::path& path) {
  ASSAY_ASSIGN(const std::set<std::string> locations, locations_of(model));
  std::vector<std::pair<fs::path, fs::path>> copies;  // all are checked before the first is made
  for (const std::string& location : locations) {
    ASSAY_ASSIGN(fs::path source, resolve_location({model.data_folder, model.path}, location, location));
    fs::path target = path.parent_path() / location;
    ASSAY_ASSIGN(const bool copied, is_there(source, target, path));
    if (!copied) copies.emplace_back(std::move(source), std::move(target));
  }
  for (const auto& [source, target] : copies) ASSAY_TRY(base::copy_file(source, target));
  std::error_code code;
  if (fs::equivalent(model.path, path, code)) return {};
  return base::copy_file(model.path, path);
}

}  // namespace assay::model
