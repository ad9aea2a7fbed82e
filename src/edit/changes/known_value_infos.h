// Collects what is known about the tensors of a model, including those of bodies.
#pragma once

#include <string_view>

#include "edit/changes/model_change.h"
#include "tensor/tensor.h"

namespace assay::edit {

// Returns the types and shapes that the model declares, completed by ONNX's inference (if that fails, only the declared
// ones). Leaves out names that stand for tensors of different types or shapes in different bodies. For a name of the
// outer graph, its own declaration takes precedence over those of bodies. A tensor of unknown rank gets the type and
// shape `seen` in a run, if any; that shape holds for the inputs of that run only. Inside a Loop, ranks that depend on
// what it carries are those of the first iteration.
ValueInfos known_value_infos(const model::Model& model, const tensor::NamedTensors& seen = {});

// Returns what is known of a tensor; null if nothing is.
const onnx::ValueInfoProto* find_known(const ValueInfos& known, std::string_view tensor);

}  // namespace assay::edit
