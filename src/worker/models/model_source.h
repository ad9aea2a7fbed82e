// Turns a model, loaded or in a file, into what a worker loads.
#pragma once

#include <cstdint>
#include <filesystem>

#include "base/error.h"
#include "model/model.h"
#include "model/weights/reference_weights.h"
#include "worker/engine.h"

namespace assay::worker {

// Returns the model as bytes, with large weights left in their files: model::serialize_by_reference(), which also
// describes `inline_limit` and the errors. The result doesn't need the model to stay alive.
base::Expected<ModelSource> model_source(const model::Model& model, std::uint64_t inline_limit = model::kInlineLimit);

// Returns the file. If it is text, or it and its external data are symbolic links, as in the cache of Hugging Face,
// which some engines refuse, returns the model as bytes instead. Errors: those of model_source().
base::Expected<ModelSource> file_source(const std::filesystem::path& file);

}  // namespace assay::worker
