// A model's files copied, byte for byte.
#pragma once

#include <filesystem>

#include "base/error.h"
#include "model/model.h"

namespace assay::model {

// Copies the file that the model was loaded from to `path`, and the files of its weights to where `path` will look for
// them: locations are relative, and stay so. What is there already under such a name is replaced; where it is the very
// file, it stays. Errors: not_found, io.
base::Status copy_model(const Model& model, const std::filesystem::path& path);

}  // namespace assay::model
