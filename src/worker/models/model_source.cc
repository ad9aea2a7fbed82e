#include "worker/models/model_source.h"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "model/load.h"
#include "model/text_forms.h"

namespace assay::worker {
namespace fs = std::filesystem;

base::Expected<ModelSource> model_source(const model::Model& model, std::uint64_t inline_limit) {
  ASSAY_ASSIGN(model::ReferencedModel referenced, model::serialize_by_reference(model, inline_limit));
  fs::path folder = referenced.external_data_dir;
  const auto owner = std::make_shared<const model::ReferencedModel>(std::move(referenced));
  return ModelBytes{tensor::Buffer(std::as_bytes(std::span(owner->bytes)), owner), std::move(folder)};
}

base::Expected<ModelSource> file_source(const fs::path& file) {
  std::error_code code;
  const bool is_text = model::is_text_file(file);
  if (!is_text && !fs::is_symlink(file, code)) return ModelFile{file};
  const auto model = model::load(file);
  if (!model) return ModelFile{file};  // the engine says what is wrong with it
  const bool is_linked = std::ranges::any_of(
      *model->files, [&](const auto& entry) { return fs::is_symlink(model->data_folder / entry.first, code); });
  if (is_linked || is_text) return model_source(*model);
  return ModelFile{file};
}

}  // namespace assay::worker
