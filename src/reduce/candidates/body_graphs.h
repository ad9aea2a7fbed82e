// What the passes that work inside nodes share: the bodies of a model with the way to each, free names, types.
#pragma once

#include <onnx/onnx_pb.h>

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "edit/model_change.h"
#include "edit/node_places.h"
#include "model/model.h"

namespace assay::reduce {

// A graph of the model and the way to it.
struct Place {
  edit::GraphPath path{};
  const onnx::GraphProto* graph = nullptr;
};

// The outer graph, then the bodies of its nodes, outer ones before inner ones, to a depth that no sane model passes.
// Bodies that cannot be named (of nodes without outputs and names) are left out.
std::vector<Place> graphs_of(const onnx::GraphProto& graph);
std::vector<Place> bodies_of(const onnx::GraphProto& graph);  // without the outer graph

using edit::describe;
using edit::is_operator;

edit::NodeRef reference_to(const Place& place, const onnx::NodeProto& node);
const onnx::AttributeProto* find_attribute(const onnx::NodeProto& node, std::string_view name);
// Null where the node has no such body.
const onnx::GraphProto* find_body(const onnx::NodeProto& node, std::string_view attribute);

// An initializer of the graph; null where it has none of that name.
const onnx::TensorProto* find_weight(const onnx::GraphProto& graph, const std::string& name);

// Nodes of the graph, or bodies in them, read the tensor. What the graph gives back does not count.
bool is_read(const onnx::GraphProto& graph, std::string_view tensor);
bool gives_back(const onnx::GraphProto& graph, std::string_view tensor);

// Whether the graph itself gives a value to the name: input, initializer or what a node makes.
bool defines(const onnx::GraphProto& graph, std::string_view tensor);

// What the graph declares of a tensor, else what is known. Absent: not even its element type; or it is no tensor.
std::optional<onnx::ValueInfoProto> type_of(const onnx::GraphProto& graph, const std::string& tensor,
                                            const edit::KnownValues& known);
// A tensor of known element type and rank.
bool has_shape(const onnx::ValueInfoProto& value);
// Two types whose tensors can stand for each other: same element type, same shape, all sizes known or of equal symbols.
bool same_type(const onnx::ValueInfoProto& a, const onnx::ValueInfoProto& b);

// Names for what a pass makes: no graph or body of the model has them, and no two proposals get the same.
class FreshNames {
 public:
  explicit FreshNames(const onnx::GraphProto& graph);
  std::string make(const std::string& wish);
  // For a tensor of a body that will not be there any more: its own name, where nobody else has it.
  std::string keep_or_make(const std::string& name);
  // How many graphs and bodies of the model have the name.
  [[nodiscard]] int count(const std::string& name) const;

 private:
  std::unordered_map<std::string, int> count_;
};

// Scalars and short lists as constants.
onnx::TensorProto int64_constant(const std::string& name, std::int64_t value, bool as_list);
onnx::TensorProto bool_constant(const std::string& name, bool value);

}  // namespace assay::reduce
