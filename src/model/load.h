// Loads a Model from a file. The file is untrusted: lengths are checked before memory is allocated, nesting is bounded,
// and external data must be inside the model's folder (no absolute path, no "..", links as resolve_location() allows).
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "model/model.h"

namespace assay::model {

struct LoadOptions {
  std::optional<std::filesystem::path> external_data_dir = {};  // folder of external data; absent: the model's
  bool ignore_external_data = false;                            // structure only: external weights aren't even located
};

// Loads the model without reading large weights. Errors: not_found if the file or its external data is missing (naming
// the tensor); invalid_input if the file is truncated, isn't an ONNX model, or refers to external data outside its
// folder or past the end of a file; unsupported if the model has 2 GiB or more without its weights.
base::Expected<Model> load(const std::filesystem::path& path, const LoadOptions& options = {});

// Loads a model that was serialized in memory, such as onnx.ModelProto's SerializeToString(). Its large weights are
// copied to a file in memory, to which the result refers. Without `external_data_dir`, external data is left alone, as
// with `ignore_external_data`. Errors: those of load(), without a path.
base::Expected<Model> load_bytes(std::string_view bytes, LoadOptions options = {});

// Parses ONNX's text format (onnx/defs/parser.h). For tests and small models.
base::Expected<Model> parse_text(std::string_view text);

}  // namespace assay::model
