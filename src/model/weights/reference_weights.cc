// An engine opens external data by its path, so weights may stay in their files only if each path still leads to the
// file that we mapped and if one folder contains all of them. If either isn't so, all weights go into the bytes, from
// the mapped files.
#include "model/weights/reference_weights.h"

#include <sys/stat.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>

#include "base/mapped_file.h"
#include "model/external_data.h"
#include "model/serialize.h"
#include "model/splice_weights.h"
#include "model/visit_tensors.h"

namespace assay::model {
namespace {

namespace fs = std::filesystem;

// Returns whether the path of the mapped file still leads to that file. An engine opens it by path.
bool is_in_place(const base::MappedFile& file) {
  struct stat mapped {};
  struct stat now {};
  return ::fstat(file.fd(), &mapped) == 0 && ::stat(file.path().c_str(), &now) == 0 && mapped.st_dev == now.st_dev &&
         mapped.st_ino == now.st_ino;
}

// Returns the path of a file relative to a folder, both canonical, or nothing if the file isn't below the folder.
std::optional<std::string> path_below(const fs::path& folder, const fs::path& path) {
  const fs::path relative = path.lexically_relative(folder);
  if (relative.empty() || *relative.begin() == "..") return std::nullopt;
  return relative.string();
}

struct Weights {
  std::uint64_t bytes = 0;
  std::set<fs::path> files;  // that hold external weights
  bool in_place = true;
};

using Visit = std::function<base::Status(const ExternalData& data, const FileRange& range, TensorRole role)>;

// Calls `visit` for a tensor by reference, unless `status` is already an error.
void visit_reference(const onnx::TensorProto& tensor, TensorRole role, const WeightFiles& files, const Visit& visit,
                     base::Status& status) {
  if (!status || !is_external(tensor)) return;
  const auto data = external_data(tensor);
  const auto range = data ? find_range(files, *data, tensor) : tl::make_unexpected(data.error());
  status = range ? visit(*data, *range, role) : tl::make_unexpected(range.error());
}

base::Expected<Weights> survey(const Model& model) {
  Weights weights;
  std::set<const base::MappedFile*> checked;
  base::Status status;
  const Visit visit = [&](const ExternalData& data, const FileRange& range, TensorRole role) -> base::Status {
    weights.bytes += range.length;
    if (role != TensorRole::initializer || !checked.insert(range.file.get()).second) return {};
    weights.in_place &= is_in_place(*range.file);
    if (data.inline_form.empty()) weights.files.insert(range.file->path());
    return {};
  };
  visit_tensors(model.proto, [&](const onnx::TensorProto& tensor, TensorRole role) {
    visit_reference(tensor, role, *model.files, visit, status);
  });
  ASSAY_TRY(status);
  return weights;
}

// Returns the folder below which all external weights are, either the model's own or that of the first file, or an
// empty path if there is none.
fs::path common_folder(const Model& model, const std::set<fs::path>& files) {
  std::error_code failed;
  const fs::path parent = model.path.parent_path();
  const fs::path own = fs::canonical(parent.empty() ? fs::path(".") : parent, failed);
  const auto all_below = [&](const fs::path& folder) {
    return std::ranges::all_of(files, [&](const fs::path& file) { return path_below(folder, file).has_value(); });
  };
  if (!failed && all_below(own)) return own;
  if (!files.empty() && all_below(files.begin()->parent_path())) return files.begin()->parent_path();
  return {};
}

// Turns all references into plain external data below `folder`. Weights of the model file are left alone if that file
// isn't in the folder.
base::Status refer(onnx::ModelProto& proto, const WeightFiles& files, const fs::path& folder) {
  base::Status status;
  visit_tensors(proto, [&](onnx::TensorProto& tensor, TensorRole role) {
    const Visit visit = [&](const ExternalData&, const FileRange& range, TensorRole) -> base::Status {
      std::error_code failed;
      const fs::path path = fs::canonical(range.file->path(), failed);
      const auto location = failed ? std::nullopt : path_below(folder, path);
      if (location) set_external_data(tensor, {*location, range.offset, range.length, ""});
      return {};
    };
    if (role == TensorRole::initializer) visit_reference(tensor, role, files, visit, status);
  });
  return status;
}

}  // namespace

base::Expected<ReferencedModel> serialize_by_reference(const Model& model, std::uint64_t inline_limit) {
  ASSAY_ASSIGN(const Weights weights, survey(model));
  const fs::path folder = common_folder(model, weights.files);
  if (weights.bytes <= inline_limit || !weights.in_place || folder.empty()) {
    ASSAY_ASSIGN(std::string bytes, serialize(model));
    return ReferencedModel{std::move(bytes), {}, nullptr};
  }
  onnx::ModelProto proto = model.proto;
  ASSAY_TRY(refer(proto, *model.files, folder));
  ASSAY_ASSIGN(const Splice splice, splice_weights(proto, *model.files, ExternalWeights::stay));
  std::string bytes(splice.size, '\0');
  copy_bytes(splice, bytes.data());
  return ReferencedModel{std::move(bytes), folder, model.files};
}

}  // namespace assay::model
