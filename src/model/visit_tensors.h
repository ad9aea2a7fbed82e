// Visits every TensorProto of a model: initializers (sparse ones too) and attributes of the graph, of bodies at any
// depth, of local functions and of training graphs.
#pragma once

#include <onnx/onnx_pb.h>

#include <functional>

namespace assay::model {

// `initializer`: a dense initializer of the graph or of one of its bodies. `other`: an attribute, a part of a sparse
// tensor, or any tensor of a function or training graph.
enum class TensorRole { initializer, other };

void visit_tensors(onnx::ModelProto& model, const std::function<void(onnx::TensorProto&, TensorRole)>& visit);
void visit_tensors(const onnx::ModelProto& model,
                   const std::function<void(const onnx::TensorProto&, TensorRole)>& visit);

}  // namespace assay::model
