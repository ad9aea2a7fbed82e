#pragma once

#include "base/error.h"
#include "base/log.h"
#include "model/model.h"

namespace assay::diagnose {

// Returns the model with every tensor that its nodes compute as an output, after its own outputs.
base::Expected<model::Model> mark_everything(const model::Model& model, base::Log& log);

}  // namespace assay::diagnose
