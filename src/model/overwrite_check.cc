#include "model/overwrite_check.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include "model/external_data.h"
#include "model/load.h"
#include "model/visit_tensors.h"

namespace assay::model {
namespace fs = std::filesystem;
using base::ErrorKind;
using base::fail;

namespace {

// Returns nothing if the file is missing.
std::optional<FileId> id_of(const fs::path& path) {
  struct stat info = {};
  if (::stat(path.c_str(), &info) != 0) return std::nullopt;
  return FileId(info.st_dev, info.st_ino);
}

// Returns the files that have weights of the model at `path`; none if that isn't a model.
std::set<FileId> weights_files(const fs::path& path) {
  std::set<std::string> locations;
  if (const auto loaded = load(path, {.ignore_external_data = true})) {
    visit_tensors(loaded->proto, [&](const onnx::TensorProto& tensor, TensorRole) {
      if (!is_external(tensor)) return;
      if (const auto data = external_data(tensor)) locations.insert(data->location);
    });
  }
  std::set<FileId> files;
  for (const std::string& location : locations) {
    if (const auto id = id_of(path.parent_path() / location)) files.insert(*id);
  }
  return files;
}

}  // namespace

bool has_weights_in(const fs::path& path, const fs::path& file) {
  const std::optional<FileId> id = id_of(file);
  return id && weights_files(path).contains(*id);
}

OverwriteCheck::OverwriteCheck(const Model& model, fs::path path)
    : model_(model),
      path_(std::move(path)),
      model_id_(id_of(model.path)),
      replaces_model_(model_id_ && id_of(path_) == model_id_) {}

// Returns whether the model that was loaded has weights in this file.
bool OverwriteCheck::is_weights_file(FileId id) {
  if (!weights_) {
    weights_.emplace();
    for (const auto& [location, file] : *model_.files) {
      if (const auto known = id_of(file->path())) weights_->insert(*known);
    }
  }
  return weights_->contains(id);
}

base::Status OverwriteCheck::check_model(const fs::path& written) {
  const std::optional<FileId> id = id_of(written);
  if (!id) return {};
  const bool is_model = id == model_id_;
  if (is_model ? written == path_ : replaces_model_ || !is_weights_file(*id)) return {};
  return fail(ErrorKind::invalid_input,
              is_model ? "this file is the model itself"
                       : fmt::format("this file has weights of '{}', which would be lost", model_.path.string()),
              written.string(), "Choose another name");
}

base::Status OverwriteCheck::check_weights(const std::string& name) {
  const fs::path file = path_.parent_path() / name;
  ASSAY_TRY(check_model(file));
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored) || fs::file_size(file, ignored) == 0) return {};
  if (name.starts_with(path_.filename().string())) return {};
  if (replaces_weights(file)) return {};
  return fail(
      ErrorKind::invalid_input,
      fmt::format("this file exists, and isn't of the model '{}': it may have weights of another one", path_.string()),
      file.string(), "Choose another name, or remove the file if no model needs it");
}

// Returns whether the model at the path has weights in this file.
bool OverwriteCheck::replaces_weights(const fs::path& file) {
  if (!replaced_) replaced_ = weights_files(path_);
  const std::optional<FileId> id = id_of(file);
  return id && replaced_->contains(*id);
}

}  // namespace assay::model
