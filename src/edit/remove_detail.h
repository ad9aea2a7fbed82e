// Takes what says nothing of the computation out of a model.
#pragma once

#include <onnx/onnx_pb.h>

#include "edit/model_change.h"

namespace assay::edit {

// Everywhere in the model, local functions included. Says whether there was anything.
bool remove_detail(onnx::ModelProto& model, Detail detail);

}  // namespace assay::edit
