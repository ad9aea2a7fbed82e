// Copies a model's files byte for byte.
#pragma once

#include <filesystem>

#include "base/error.h"
#include "model/model.h"

namespace assay::model {

// Copies the file that the model was loaded from to `path`, and its weights files to the same relative locations next
// to it, so the copied model finds them. Replaces an existing `path`, but no file of weights: one with the same bytes
// is left as it is. Errors: not_found, io; invalid_input if a location leads out of the model's folder or to `path`, or
// if there is another file; then nothing is written.
base::Status copy_model(const Model& model, const std::filesystem::path& path);

}  // namespace assay::model
