#include "model/copy_model.h"

#include <map>
#include <string>

#include "base/files.h"
#include "model/external_data.h"
#include "model/visit_tensors.h"
#include "model/weights.h"

namespace assay::model {
namespace fs = std::filesystem;

namespace {

using base::ErrorKind;
using base::fail;

// Returns the files of weights by the locations that the model names.
base::Expected<std::map<std::string, fs::path>> files_of_weights(const Model& model) {
  std::map<std::string, fs::path> files;
  base::Status status;
  visit_tensors(model.proto, [&](const onnx::TensorProto& tensor, TensorRole) {
    if (!status || !is_external(tensor) || was_inline(tensor)) return;
    const auto data = external_data(tensor);
    if (!data) {
      status = tl::make_unexpected(data.error());
    } else if (!files.contains(data->location)) {
      auto file = resolve_location({model.data_folder, model.path}, data->location, data->location);
      if (!file) {
        status = tl::make_unexpected(file.error());
      } else {
        files.emplace(data->location, *std::move(file));
      }
    }
  });
  ASSAY_TRY(status);
  return files;
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
  ASSAY_ASSIGN(auto weights, files_of_weights(model));
  for (auto file = weights.begin(); file != weights.end();) {
    ASSAY_ASSIGN(const bool copied, is_there(file->second, path.parent_path() / file->first, path));
    file = copied ? weights.erase(file) : std::next(file);
  }
  for (const auto& [location, file] : weights) ASSAY_TRY(base::copy_file(file, path.parent_path() / location));
  std::error_code code;
  if (fs::equivalent(model.path, path, code)) return {};
  return base::copy_file(model.path, path);
}

}  // namespace assay::model
