// Shapes and types of tensors, as the model declares them. inference/infer_shapes.h finds those that it doesn't
// declare.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/model.h"
#include "tensor/tensor.h"

namespace assay::model {

// A dimension is a number (>= 0), or -1 if it is unknown, with or without a symbol.
struct Dimension {
  std::int64_t value = -1;
  std::string symbol;
};

struct TensorInfo {
  tensor::ElementType type = tensor::ElementType::undefined;
  std::optional<std::vector<Dimension>> shape;  // absent: not even the rank is known
};

// Returns the type and shape that a value info declares; undefined and absent if it isn't a tensor or doesn't say.
TensorInfo tensor_info(const onnx::ValueInfoProto& value);
// Returns the info of a tensor of this type and shape, all of whose dimensions are known.
TensorInfo static_info(tensor::ElementType type, const tensor::Shape& shape);
onnx::ValueInfoProto to_value_info(const std::string& name, const TensorInfo& info);
// Return the name, type and shape of a weight.
onnx::ValueInfoProto to_value_info(const onnx::TensorProto& weight);
onnx::ValueInfoProto to_value_info(const onnx::SparseTensorProto& weight);
// Sets the rank of a tensor type. Its sizes become unknown.
void set_rank(onnx::TypeProto::Tensor& type, int rank);
// Returns true if every dimension is known.
bool is_static(const TensorInfo& info);

// Returns type and shape of every tensor of the outer graph that the model declares (inputs, outputs, value_info,
// initializers).
std::map<std::string, TensorInfo> known_tensors(const Model& model);

// Sets the shapes of graph inputs, and removes the shapes that may no longer hold. Ignores names of anything but input
// tensors; shapes_by_input.h refuses such names.
void override_input_shapes(Model& model, const std::map<std::string, std::vector<Dimension>>& shapes);
// Removes the shapes that can follow from those of the graph's inputs: value_info, the shapes of outputs, and the sizes
// of the inputs of bodies. Shapes in the body of a Loop would otherwise be folded to the old sizes.
void remove_stale_shapes(onnx::GraphProto& graph);
// Removes only those inside the bodies of the graph's nodes.
void remove_stale_shapes_in_bodies(onnx::GraphProto& graph);

}  // namespace assay::model
