// Renames tensors of a graph wherever they are defined or read.
#pragma once

#include <onnx/onnx_pb.h>

#include <functional>
#include <string>
#include <unordered_map>

namespace assay::edit {

using Renames = std::unordered_map<std::string, std::string>;

// Renames in nodes, initializers, inputs, outputs and value infos of the graph, and in bodies that capture the graph's
// tensor. A body that defines the name itself is left alone.
void rename_tensors(onnx::GraphProto& graph, const Renames& renames);

// Calls `visit` for every name that the graph itself gives to a tensor (not those of its bodies).
void visit_own_names(const onnx::GraphProto& graph, const std::function<void(const std::string&)>& visit);
// The same, including the names of its bodies at any depth.
void visit_all_names(const onnx::GraphProto& graph, const std::function<void(const std::string&)>& visit);

}  // namespace assay::edit
