// Weights by reference would disturb the checker in two ways: it wants to see values, and it looks for the files of
// external data, relative to the current folder unless it is given another.
//
// Inline tensors were sound when they were cut out (take_out_weights.h), so the checker may skip them; it does so if a
// location begins with '#'. Files of external data are looked up here, with the checker's own function, and their
// tensors are then skipped as well. That function refuses symbolic links, which are no defect of a model; load() has
// followed them.
#include "model/inference/check.h"

#include <onnx/checker.h>

#include <exception>
#include <filesystem>
#include <functional>
#include <string>
#include <system_error>
#include <utility>

#include "model/external_data.h"
#include "model/inference/inference_copy.h"
#include "model/inference/inference_limits.h"
#include "model/visit_tensors.h"

namespace assay::model {
namespace {

constexpr const char* kSkip = "#";

void check_location(const Model& model, onnx::TensorProto& tensor) {
  if (!is_external(tensor)) return;
  // Without external data, or without a folder to search, there is nothing to look up.
  const bool look_up = !was_inline(tensor) && !model.weights_ignored && !model.data_folder.empty();
  for (onnx::StringStringEntryProto& entry : *tensor.mutable_external_data()) {
    if (entry.key() != "location" || !entry.has_value()) continue;
    std::error_code code;
    if (look_up && !std::filesystem::is_symlink(model.data_folder / entry.value(), code)) {
      onnx::checker::resolve_external_data_location(model.data_folder.string(), entry.value(), tensor.name());
    }
    entry.set_value(kSkip);
  }
}

base::Status refuse(const Model& model, std::string what) {
  return base::fail(base::ErrorKind::invalid_input, std::move(what), model.path.string());
}

// Lets the checker and then `further` check a copy of the model; either may throw.
base::Status check_copy(const Model& model, const std::function<void(onnx::ModelProto&)>& further) {
  try {
    InferenceCopy copy(model, InferenceCopy::Values::inline_only);
    visit_tensors(copy.proto(), [&](onnx::TensorProto& tensor, TensorRole) { check_location(model, tensor); });
    onnx::checker::check_model(copy.proto(), /*full_check=*/false);
    further(copy.proto());
    return {};
  } catch (const std::exception& error) {
    return refuse(model, error.what());
  } catch (...) {
    return refuse(model, "the ONNX checker failed with an unknown exception");
  }
}

}  // namespace

base::Status check(const Model& model) {
  return check_copy(model, [](onnx::ModelProto&) {});
}

base::Status full_check(const Model& model) {
  if (const std::string why = why_inference_is_unbounded(model.proto); !why.empty()) {
    return refuse(model, "shapes cannot be inferred: " + why);
  }
  return check_copy(model, check_inferred);
}

}  // namespace assay::model
