#include "cli/steps/explain_load_error.h"

#include <algorithm>
#include <string>
#include <variant>

#include "model/load.h"
#include "surgeon/weights/strip_weights.h"
#include "worker/outcome.h"

namespace assay::cli {
namespace {

// Returns whether `surgeon weight-strip` has emptied a weight that nothing has filled again.
bool has_emptied_weight(const model::Model& model) {
  return std::ranges::any_of(model.graph().initializer(), [](const onnx::TensorProto& weight) {
    return weight.doc_string().starts_with(surgeon::kWeightless) && weight.raw_data().empty() &&
           weight.data_location() != onnx::TensorProto::EXTERNAL;
  });
}

}  // namespace

base::Error explain_load_error(const base::Error& error, const worker::ModelSource& source) {
  if (error.kind != base::ErrorKind::engine) return error;
  base::Error explained = error;
  const auto* file = std::get_if<worker::ModelFile>(&source);
  if (file != nullptr && !file->path.empty()) {
    const auto model = model::load(file->path);
    if (!model) {
      explained = model.error();
      if (!worker::failed_to_load(error)) explained.what += " (" + error.message() + ")";
      return explained;
    }
    if (explained.fix.empty() && worker::failed_to_load(error) && has_emptied_weight(*model))
      explained.fix =
          "The model's weights are emptied: `assay surgeon weight-reconstruct` fills them with made-up values";
  }
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
