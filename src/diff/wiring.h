// A graph as arrays of positions: which tensor each input and output of each node is, and who reads each tensor where.
// GraphView lists each tensor of a node once, but a comparison needs to know at which position it is.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/graph_view.h"

namespace assay::diff {

using model::kNone;
using model::NodeId;
using model::TensorId;

// A position at which a node reads a tensor.
struct Use {
  NodeId node = kNone;
  std::int32_t position = 0;
};

// Refers to the graph, which must outlive it and must not change.
class Wiring {
 public:
  explicit Wiring(const onnx::GraphProto& graph);

  [[nodiscard]] const model::GraphView& view() const { return view_; }
  [[nodiscard]] int node_count() const { return view_.node_count(); }
  [[nodiscard]] const onnx::NodeProto& node(NodeId id) const { return view_.node(id); }
  // Return the tensors of a node by position; kNone for one that is left out.
  [[nodiscard]] std::span<const TensorId> inputs(NodeId id) const { return list(inputs_, input_offsets_, id); }
  [[nodiscard]] std::span<const TensorId> outputs(NodeId id) const { return list(outputs_, output_offsets_, id); }
  [[nodiscard]] std::span<const Use> uses(TensorId id) const { return list(uses_, use_offsets_, id); }
  // Returns the position of a tensor among the outputs of its producer; kNone if no node computes it.
  [[nodiscard]] std::int32_t output_position(TensorId id) const { return positions_[static_cast<std::size_t>(id)]; }
  // Returns true if neither this graph nor an initializer defines the tensor: a body takes it from outside.
  [[nodiscard]] bool is_outer(TensorId id) const;
  // Returns all nodes, producers first; in the order of the file if the graph has a cycle.
  [[nodiscard]] std::span<const NodeId> order() const { return order_; }

 private:
  template <class T>
  static std::span<const T> list(const std::vector<T>& items, const std::vector<std::size_t>& offsets,
                                 std::int32_t id) {
    const auto at = static_cast<std::size_t>(id);
    return std::span(items).subspan(offsets[at], offsets[at + 1] - offsets[at]);
  }

  model::GraphView view_;
  std::vector<TensorId> inputs_, outputs_;
  std::vector<std::size_t> input_offsets_, output_offsets_;
  std::vector<Use> uses_;
  std::vector<std::size_t> use_offsets_;
  std::vector<std::int32_t> positions_;
  std::vector<NodeId> order_;
};

}  // namespace assay::diff
