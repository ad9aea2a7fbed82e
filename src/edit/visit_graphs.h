// Walks over the graph of a model and all bodies in it, or over all nodes.
#pragma once

#include <onnx/onnx_pb.h>

#include <functional>
#include <string>
#include <vector>

namespace assay::edit {

// Calls `visit` for the graph and for every body of its nodes at any depth, inner ones first.
void visit_graphs(onnx::GraphProto& graph, const std::function<void(onnx::GraphProto&)>& visit);

// Calls `visit` for the bodies of one node, in attributes that hold one graph or a list of graphs.
void visit_bodies(onnx::NodeProto& node, const std::function<void(onnx::GraphProto&)>& visit);
void visit_bodies(const onnx::NodeProto& node, const std::function<void(const onnx::GraphProto&)>& visit);

// Calls `visit` for the nodes and for those of their bodies at any depth, a node before those inside of it.
using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;
void visit_nodes(Nodes& nodes, const std::function<void(onnx::NodeProto&)>& visit);
void visit_nodes(const Nodes& nodes, const std::function<void(const onnx::NodeProto&)>& visit);

// Returns the names that a node reads, including those that its bodies capture; with repetitions.
std::vector<std::string> names_read(const onnx::NodeProto& node);

}  // namespace assay::edit
