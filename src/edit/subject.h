// The model to which edits are applied, indexed once so that each candidate costs only what it keeps.
//
// On request, Constant nodes are treated as values: they can then be neither kept nor removed as nodes, and a candidate
// gets an initializer for each one that it needs.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "model/graph_view.h"
#include "model/model.h"

namespace assay::edit {

using model::kNone;
using model::NodeId;
using model::TensorId;

// Immutable. Refers to the model, which must outlive it and must not change. Accepts invalid graphs: names may be
// defined twice or nowhere, nodes may be in any order, and there may be cycles.
class Subject {
 public:
  enum class Constants { as_nodes, as_values };
  explicit Subject(const model::Model& model, Constants constants = Constants::as_values);
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;

  [[nodiscard]] const model::Model& model() const { return model_; }
  [[nodiscard]] const model::GraphView& view() const { return view_; }
  // The model without its graph's nodes, tensors, inputs and outputs.
  [[nodiscard]] const onnx::ModelProto& frame() const { return frame_; }

  // The nodes that can be kept or removed, in the order of the file.
  [[nodiscard]] std::span<const NodeId> nodes() const { return nodes_; }
  [[nodiscard]] bool has_constant_nodes() const { return has_constant_nodes_; }

  // Returns true if the model contains the value: in an initializer, or in a Constant node that is treated as a value.
  [[nodiscard]] bool is_constant(TensorId id) const { return (flags_[index(id)] & kConstant) != 0; }
  // Returns the Constant node that is treated as this tensor's value, else kNone. If several Constants define one name,
  // the last one counts, as in ONNX Runtime.
  [[nodiscard]] NodeId constant_node(TensorId id) const { return constant_nodes_[index(id)]; }
  // Further nodes that define the tensor besides view().producer(); invalid models have such nodes.
  [[nodiscard]] std::span<const NodeId> further_producers(TensorId id) const { return further_producers_.of(id); }
  // Returns true if the value can differ from run to run: a graph input, or computed from one.
  [[nodiscard]] bool varies(TensorId id) const { return (flags_[index(id)] & kVaries) != 0; }

  // Positions, ascending, of a tensor's initializers (several if the name is defined twice) and of its value_info.
  [[nodiscard]] std::span<const std::int32_t> initializers(TensorId id) const;
  [[nodiscard]] std::span<const std::int32_t> sparse_initializers(TensorId id) const;
  [[nodiscard]] std::span<const std::int32_t> value_infos(TensorId id) const;

 private:
  enum Flag : std::uint8_t { kConstant = 1, kVaries = 2 };
  // Positions in a repeated field, by the tensor that the element names; sorted by tensor.
  struct Positions {
    Positions() = default;
    explicit Positions(std::vector<std::pair<TensorId, std::int32_t>> pairs);
    std::vector<TensorId> tensors;
    std::vector<std::int32_t> positions;
    [[nodiscard]] std::span<const std::int32_t> of(TensorId id) const;
  };
  static std::size_t index(std::int32_t id) { return static_cast<std::size_t>(id); }
  template <class Values, class Name>
  Positions index_names(const Values& values, const Name& name) const;
  void index_further_producers();
  bool is_value(NodeId id, Constants constants) const;
  void choose_nodes(Constants constants);
  void mark_varying();

  const model::Model& model_;
  model::GraphView view_;
  onnx::ModelProto frame_;
  std::vector<NodeId> nodes_;
  std::vector<std::uint8_t> flags_;     // by tensor
  std::vector<NodeId> constant_nodes_;  // by tensor
  Positions initializers_, sparse_initializers_, value_infos_, further_producers_;
  bool has_constant_nodes_ = false;
};

// Returns the value of a Constant node as an initializer named like its output. Returns nothing if the node isn't a
// Constant or its value can't be an initializer (sparse values).
std::optional<onnx::TensorProto> constant_value(const onnx::NodeProto& node);

}  // namespace assay::edit
