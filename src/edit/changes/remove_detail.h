// Removes parts of a model that don't affect the computation.
#pragma once

#include <onnx/onnx_pb.h>

#include "edit/changes/model_change.h"

namespace assay::edit {

// Removes the detail everywhere in the model, including local functions. Returns whether the model had any.
bool remove_detail(onnx::ModelProto& model, Detail detail);

}  // namespace assay::edit
