// Walks over the graph of a model and all bodies in it.
#pragma once

#include <onnx/onnx_pb.h>

#include <functional>

namespace assay::edit {

// Calls `visit` for the graph and for every body of its nodes at any depth, inner ones first.
void visit_graphs(onnx::GraphProto& graph, const std::function<void(onnx::GraphProto&)>& visit);

// Calls `visit` for the bodies of one node, in attributes that hold one graph or a list of graphs.
void visit_bodies(onnx::NodeProto& node, const std::function<void(onnx::GraphProto&)>& visit);
void visit_bodies(const onnx::NodeProto& node, const std::function<void(const onnx::GraphProto&)>& visit);

}  // namespace assay::edit
