// Copies a model's files byte for byte.
#pragma once

#include <filesystem>

#include "base/error.h"
#include "model/model.h"

namespace assay::model {

// Copies the file that the model was loaded from to `path`, and its weights files to the same relative locations next
// to it, so the copied model finds them. Existing files are replaced, unless source and target are the same file.
// Errors: not_found, io; invalid_input if a location leads out of the model's folder.
base::Status copy_model(const Model& model, const std::filesystem::path& path);

}  // namespace assay::model
