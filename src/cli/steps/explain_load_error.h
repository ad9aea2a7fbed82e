// Explains why an engine couldn't load a model: engines say little about a file that isn't a model, or about an
// operator that they don't know.
#pragma once

#include "base/error.h"
#include "worker/engine.h"

namespace assay::cli {

// Returns the error of Assay's own loader if `error` is an engine's, and the source is a file that Assay can't load
// either; adds `error` if the engine crashed, hung or failed later. Otherwise returns `error`, with what to do about
// emptied weights, an operator that ONNX Runtime doesn't know, or a version that is too new for the engine.
base::Error explain_load_error(const base::Error& error, const worker::ModelSource& source);

}  // namespace assay::cli
