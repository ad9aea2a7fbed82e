#include "cli/explain_load_error.h"

#include <utility>
#include <variant>

#include "model/load.h"

namespace assay::cli {

base::Error explain_load_error(const base::Error& error, const worker::ModelSource& source) {
  const auto* file = std::get_if<worker::ModelFile>(&source);
  if (error.kind != base::ErrorKind::engine || file == nullptr || file->path.empty()) return error;
  const auto model = model::load(file->path);
  return model ? error : model.error();
}

}  // namespace assay::cli
