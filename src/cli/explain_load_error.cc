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
  const bool names_versions =
      explained.what.find("Unsupported model IR version") != std::string::npos ||
      explained.what.find("under development and support for this is limited") != std::string::npos;
  if (explained.fix.empty() && names_versions)
    explained.fix = "Use a newer version of the engine, or export the model again for older versions of ONNX";
  return explained;
}

}  // namespace assay::cli
