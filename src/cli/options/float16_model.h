// Converts a model to float16 for a command, and logs which nodes and weights float16 affects.
#pragma once

#include "base/error.h"
#include "base/log.h"
#include "model/model.h"
#include "surgeon/float16/convert_to_float16.h"

namespace assay::cli {

// Logs how many nodes compute in float16, and which weights don't fit.
void describe(const surgeon::Float16Model& converted, base::Log& log);

// Replaces `model` by its float16 version. Errors: those of surgeon::convert_to_float16.
base::Status make_float16(model::Model& model, base::Log& log);

}  // namespace assay::cli
