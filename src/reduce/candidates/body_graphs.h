// Helpers for code that works inside nodes: finds the bodies of a model and their paths, looks up tensors and types,
// and creates unused names.
#pragma once

#include <onnx/onnx_pb.h>

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "edit/changes/model_change.h"
#include "edit/node_places.h"
#include "model/attributes.h"
#include "model/model.h"

namespace assay::reduce {

// A graph of the model and the path to it.
struct Place {
  edit::GraphPath path{};
  const onnx::GraphProto* graph = nullptr;
};

// Returns the outer graph, then the bodies of its nodes, outer ones before inner ones, down to 16 levels. Bodies that
// can't be referred to (of nodes without outputs and without a name) are left out.
std::vector<Place> graphs_of(const onnx::GraphProto& graph);
std::vector<Place> bodies_of(const onnx::GraphProto& graph);  // without the outer graph

using edit::is_operator;
using model::find_attribute;

edit::NodeRef reference_to(const Place& place, const onnx::NodeProto& node);
// Returns null if the node has no such body.
const onnx::GraphProto* find_body(const onnx::NodeProto& node, std::string_view attribute);

// Returns whether nodes of the graph, or bodies in them, read the tensor. Being an output of the graph doesn't count.
bool is_read(const onnx::GraphProto& graph, std::string_view tensor);
// Returns whether the tensor is an output of the graph.
bool is_output(const onnx::GraphProto& graph, std::string_view tensor);

// Returns whether the graph itself defines the name: as an input, an initializer or the output of a node.
bool defines(const onnx::GraphProto& graph, std::string_view tensor);

// Returns the type of a tensor: what the graph declares, or else what `known` says. Returns nothing if not even the
// element type is known, or if it isn't a tensor.
std::optional<onnx::ValueInfoProto> type_of(const onnx::GraphProto& graph, const std::string& tensor,
                                            const edit::ValueInfos& known);
// Returns whether the element type and the rank are known.
bool has_shape(const onnx::ValueInfoProto& value);
// Returns whether values of these types are interchangeable: the element type, the rank and every size are the same.
// Sizes have to be known or equal symbols. For sequences and optionals, only the element types have to be the same.
bool same_type(const onnx::ValueInfoProto& a, const onnx::ValueInfoProto& b);
// The same for the types of two tensors. Returns false if one isn't known.
bool same_type(std::string_view a, std::string_view b, const edit::ValueInfos& known);

// Creates names that no graph or body of the model has, and none of them twice.
class FreshNames {
 public:
  explicit FreshNames(const onnx::GraphProto& graph);
  // Returns `wish` if that is free, or else `wish` with a number appended.
  std::string make(const std::string& wish);
  // Returns a name for a tensor whose body is about to be removed: its own one, unless something else has it, too.
  std::string keep_or_make(const std::string& name);
  // Returns how many graphs and bodies of the model have the name.
  [[nodiscard]] int count(const std::string& name) const;

 private:
  std::unordered_map<std::string, int> count_;
};

// Return an initializer that holds the value.
onnx::TensorProto int64_scalar(const std::string& name, std::int64_t value);
onnx::TensorProto bool_scalar(const std::string& name, bool value);

}  // namespace assay::reduce
