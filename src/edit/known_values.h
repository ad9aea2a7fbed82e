// What is known of the tensors of a model, bodies included.
#pragma once

#include "edit/model_change.h"
#include "tensor/tensor.h"

namespace assay::edit {

// Types and shapes that the model declares, completed by ONNX's inference; where that fails, what is declared. Names
// that stand for tensors of different types in different bodies are left out; what the outer graph says of its own
// names counts before what bodies say of theirs. Tensors of which not even the rank is known so get what was seen of
// them in a run, if anything: the shape is true of that run's inputs.
KnownValues known_values(const model::Model& model, const tensor::NamedTensors& seen = {});

}  // namespace assay::edit
