// The bytes of a model, in memory or in a file.
#pragma once

#include "backend/serve/serve.h"

namespace assay::backend {

// Returns the model's bytes; those of a file are mapped. Returns a Refused in phase load if it can't be read.
Answer<tensor::Buffer> bytes_of(const worker::ModelSource& model);

}  // namespace assay::backend
