// An index over one GraphProto: the producer and the consumers of each tensor, including what the bodies of If, Loop
// and Scan capture.
//
// Nodes and tensors are small integers, so that the reducer can handle 100,000 nodes with arrays and bit sets. The view
// refers to the graph, which must outlive it and must not change.
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

using NodeId = std::int32_t;               // position in GraphProto.node
using TensorId = std::int32_t;             // dense, in order of first appearance
inline constexpr std::int32_t kNone = -1;  // as a tensor, it may be passed to all functions except name()

class GraphView {
 public:
  explicit GraphView(const onnx::GraphProto& graph);

  [[nodiscard]] const onnx::GraphProto& graph() const { return *graph_; }
  [[nodiscard]] int node_count() const { return graph_->node_size(); }
  [[nodiscard]] int tensor_count() const { return static_cast<int>(names_.size()); }
  [[nodiscard]] const onnx::NodeProto& node(NodeId id) const { return graph_->node(id); }

  [[nodiscard]] std::string_view name(TensorId id) const { return names_.name(id); }
  [[nodiscard]] TensorId find(std::string_view name) const;  // kNone if there is no such tensor

  // inputs(): the tensors that a node reads, each once: its inputs in order (without empty optional ones), then the
  // tensors of this graph that its bodies capture. outputs(): the tensors that it produces, in order, without empty
  // ones.
  [[nodiscard]] std::span<const TensorId> inputs(NodeId id) const;
  [[nodiscard]] std::span<const TensorId> outputs(NodeId id) const;

  [[nodiscard]] NodeId producer(TensorId id) const;                    // kNone: input, initializer or undefined
  [[nodiscard]] std::span<const NodeId> consumers(TensorId id) const;  // ascending, each once
  [[nodiscard]] bool is_graph_input(TensorId id) const;                // and not an initializer
  [[nodiscard]] bool is_initializer(TensorId id) const;                // dense or sparse
  [[nodiscard]] bool is_graph_output(TensorId id) const;
  [[nodiscard]] const onnx::TensorProto* initializer(TensorId id) const;    // null if not an initializer, or sparse
  [[nodiscard]] const onnx::ValueInfoProto* value_info(TensorId id) const;  // from input, output or value_info; or null

 private:
  class Builder;

  const onnx::GraphProto* graph_;
  NameTable names_;
  // Lists of all nodes (tensors), concatenated; list i spans offsets[i] to offsets[i + 1].
  std::vector<TensorId> node_inputs_, node_outputs_;
  std::vector<std::int32_t> input_offsets_, output_offsets_;
  std::vector<NodeId> consumers_;
  std::vector<std::int32_t> consumer_offsets_;
  std::vector<NodeId> producers_;
  std::vector<std::uint8_t> flags_;
  std::vector<const onnx::TensorProto*> initializers_;
  std::vector<const onnx::ValueInfoProto*> value_infos_;
};

// Returns the names of outer tensors that a body and the bodies nested in it read but don't define, each once, in order
// of first use.
std::vector<std::string> captured_names(const onnx::GraphProto& body);

// Returns the nodes in a topological order that keeps the file's order where possible (Kahn's algorithm, smallest index
// first). Errors: invalid_input, naming a node on a cycle.
base::Expected<std::vector<NodeId>> topological_order(const GraphView& view);

}  // namespace assay::model
