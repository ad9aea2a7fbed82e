// Finds what can be known of a model without running it: the shapes of its tensors for one set of inputs, and its small
// constants.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/error.h"
#include "edit/subject.h"
#include "edit/tensor_facts.h"
#include "model/model.h"
#include "tensor/tensor.h"

namespace assay::reduce {

// Returns what ONNX infers from the shapes of these inputs, in outputs and value_info. The model's own declarations may
// be for other inputs, or wrong, so they are ignored. `inputs` may be empty. Errors: those of model::inferred_values().
base::Expected<onnx::GraphProto> infer_for_inputs(const model::Model& model, const tensor::NamedTensors& inputs);

// Returns types and shapes of the tensors whose sizes follow from the shapes of these inputs, by infer_for_inputs().
// They include the inputs. Other inputs count if the model declares all their sizes.
std::map<edit::TensorId, edit::SeenShape> shapes_for_inputs(const edit::Subject& subject,
                                                            const tensor::NamedTensors& inputs);

// Returns the shapes of the tensors of the graph for these values of the inputs, by ONNX's shape inference. For tensors
// that inference leaves open, the model's own declarations are used if they state every size. Tensors with unknown
// sizes are left out.
std::map<std::string, tensor::Shape> infer_static_shapes(const model::Model& model, const tensor::NamedTensors& inputs);

// Returns the value of a constant of the model, or nothing if it has more than kSmallElements elements or can't be
// read.
std::optional<tensor::Tensor> small_constant(const edit::Subject& subject, edit::TensorId id);

}  // namespace assay::reduce
