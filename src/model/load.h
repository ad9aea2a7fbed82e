// From a file to a Model. The file is untrusted: lengths are checked before memory is taken, nesting is bounded, and
// external data has to lie inside the model's folder (no absolute path, no "..", no symbolic link that leads out).
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "model/model.h"

namespace assay::model {

struct LoadOptions {
  std::optional<std::filesystem::path> external_data_dir = {};  // where external data lies; absent: the model's folder
  bool ignore_external_data = false;                            // structure only: weights are not even looked for
};

// Errors: not_found where the file or its external data is missing (naming the tensor); invalid_input where the file is
// truncated, not an ONNX model, or refers to external data outside its folder or past the end of a file.
base::Expected<Model> load(const std::filesystem::path& path, const LoadOptions& options = {});

// From ONNX's text format (onnx/defs/parser.h). For tests and small models.
base::Expected<Model> parse_text(std::string_view text);

}  // namespace assay::model
