#include "cli/explain_load_error.h"

#include <string>
#include <variant>

#include "model/load.h"
#include "worker/outcome.h"

namespace assay::cli {

base::Error explain_load_error(const base::Error& error, const worker::ModelSource& source) {
  if (error.kind != base::ErrorKind::engine) return error;
  const auto* file = std::get_if<worker::ModelFile>(&source);
  if (file != nullptr && !file->path.empty()) {
    if (const auto model = model::load(file->path); !model) {
      base::Error explained = model.error();
      if (!worker::failed_to_load(error)) explained.what += " (" + error.message() + ")";
      return explained;
    }
  }
  base::Error explained = error;
  if (explained.fix.empty() && explained.what.find("is not a registered function/op") != std::string::npos)
    explained.fix = "If it's a custom operator, name the library that implements it with --custom-ops";
  return explained;
}

}  // namespace assay::cli
