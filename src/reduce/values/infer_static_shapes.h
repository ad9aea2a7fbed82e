// Shapes of a model's tensors for one set of inputs, and its small constants: what can be told without running it.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "edit/subject.h"
#include "model/model.h"
#include "tensor/tensor.h"

namespace assay::reduce {

// Of the tensors of the graph, by ONNX's inference, if the inputs have these values. What inference leaves open is
// taken from the model's own declarations, as far as they tell every size.
std::map<std::string, tensor::Shape> infer_static_shapes(const model::Model& model, const tensor::NamedTensors& inputs);

// The value of a constant of the model; nothing if it is large or can't be read.
std::optional<tensor::Tensor> small_constant(const edit::Subject& subject, edit::TensorId id);

}  // namespace assay::reduce
