// An index over one GraphProto: who makes and who reads each tensor, with bodies of If, Loop and Scan taken into
// account.
//
// Nodes and tensors are small integers, so that the reducer can work on 100,000 nodes with arrays and bit sets. The
// view refers to the graph and is valid while the graph lives unchanged.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/name_table.h"

namespace assay::model {

using NodeId = std::int32_t;    // position in GraphProto.node
using TensorId = std::int32_t;  // dense, in order of first appearance
inline constexpr std::int32_t kNone = -1;

class GraphView {
 public:
  explicit GraphView(const onnx::GraphProto& graph);

  [[nodiscard]] const onnx::GraphProto& graph() const { return *graph_; }
  [[nodiscard]] int node_count() const { return graph_->node_size(); }
  [[nodiscard]] int tensor_count() const { return static_cast<int>(names_.size()); }
  [[nodiscard]] const onnx::NodeProto& node(NodeId id) const { return graph_->node(id); }

  [[nodiscard]] std::string_view name(TensorId id) const { return names_.name(id); }
  [[nodiscard]] TensorId find(std::string_view name) const;  // kNone where no such tensor is

  // Tensors that a node reads: its inputs in order (empty optional inputs left out), then tensors of this graph that
  // its bodies capture; each once. Tensors that it makes: its outputs in order, empty names left out.
  [[nodiscard]] std::span<const TensorId> inputs(NodeId id) const;
  [[nodiscard]] std::span<const TensorId> outputs(NodeId id) const;

  [[nodiscard]] NodeId producer(TensorId id) const;                    // kNone: input, initializer, or made by nobody
  [[nodiscard]] std::span<const NodeId> consumers(TensorId id) const;  // ascending, each once
  [[nodiscard]] bool is_graph_input(TensorId id) const;                // and not an initializer
  [[nodiscard]] bool is_initializer(TensorId id) const;                // dense or sparse
  [[nodiscard]] bool is_graph_output(TensorId id) const;
  [[nodiscard]] const onnx::TensorProto* initializer(TensorId id) const;    // null where it is none (or sparse)
  [[nodiscard]] const onnx::ValueInfoProto* value_info(TensorId id) const;  // of input, output or value_info; or null

 private:
  const onnx::GraphProto* graph_;
  NameTable names_;
  // Lists of all nodes (tensors) end to end; list i lies between offsets i and i+1.
  std::vector<TensorId> node_inputs_, node_outputs_;
  std::vector<std::int32_t> input_offsets_, output_offsets_;
  std::vector<NodeId> consumers_;
  std::vector<std::int32_t> consumer_offsets_;
  std::vector<NodeId> producers_;
  std::vector<std::uint8_t> flags_;
  std::vector<const onnx::TensorProto*> initializers_;
  std::vector<const onnx::ValueInfoProto*> value_infos_;
};

// Names of outer tensors that a graph (body) reads and does not define itself, in order of first use, each once; bodies
// of its nodes included.
std::vector<std::string> captured_names(const onnx::GraphProto& body);

// Nodes in a topological order that keeps the file's order wherever that is possible (Kahn's algorithm, smallest index
// first). Errors: invalid_input naming a node on a cycle.
base::Expected<std::vector<NodeId>> topological_order(const GraphView& view);

}  // namespace assay::model
