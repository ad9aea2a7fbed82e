// Gives tensors of a graph other names, wherever they are read.
#pragma once

#include <onnx/onnx_pb.h>

#include <functional>
#include <string>
#include <unordered_map>

namespace assay::edit {

using Renames = std::unordered_map<std::string, std::string>;

// In nodes, initializers, inputs, outputs and value infos of the graph, and in bodies where they mean the graph's
// tensor (a body that defines the name itself means its own).
void rename_tensors(onnx::GraphProto& graph, const Renames& renames);

// Calls `visit` for every name that the graph itself gives to a tensor (not those of its bodies).
void visit_own_names(const onnx::GraphProto& graph, const std::function<void(const std::string&)>& visit);
// The same with those of its bodies, at any depth.
void visit_all_names(const onnx::GraphProto& graph, const std::function<void(const std::string&)>& visit);

}  // namespace assay::edit
