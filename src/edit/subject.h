// The model that edits are applied to, indexed once so that each candidate costs only what it holds.
//
// Constant nodes are, where asked for, taken for what they are: values. They then are no nodes to keep or to remove,
// and a candidate has an initializer for each that it needs.
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

// Immutable. Refers to the model, which must outlive it unchanged. Takes any graph, also an invalid one: names may be
// defined twice or nowhere, nodes stand in any order, and there may be cycles.
class Subject {
 public:
  enum class Constants { as_nodes, as_values };
  explicit Subject(const model::Model& model, Constants constants = Constants::as_values);
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;

  [[nodiscard]] const model::Model& model() const { return model_; }
  [[nodiscard]] const model::GraphView& view() const { return view_; }
  // Everything of the model but its graph's nodes, tensors, inputs and outputs.
  [[nodiscard]] const onnx::ModelProto& frame() const { return frame_; }

  // The nodes that can be kept or removed, in the order of the file.
  [[nodiscard]] std::span<const NodeId> nodes() const { return nodes_; }
  [[nodiscard]] bool has_constant_nodes() const { return has_constant_nodes_; }

  // Its value stands in the model: an initializer, or made by a Constant node that is taken for a value.
  [[nodiscard]] bool is_constant(TensorId id) const { return (flags_[index(id)] & kConstant) != 0; }
  // The Constant node that is taken for this tensor's value; kNone where it has another. Where several Constants define
  // one name the last counts, as it does in ONNX Runtime.
  [[nodiscard]] NodeId constant_node(TensorId id) const { return constant_nodes_[index(id)]; }
  // Nodes that define the tensor once more, besides view().producer(): models that break the rules have such.
  [[nodiscard]] std::span<const NodeId> further_producers(TensorId id) const { return further_producers_.of(id); }
  // Its value can differ from run to run: a graph input, or made from one.
  [[nodiscard]] bool varies(TensorId id) const { return (flags_[index(id)] & kVaries) != 0; }

  // Positions of a tensor's initializers (several where the name is defined twice) and of its value_info; ascending.
  [[nodiscard]] std::span<const std::int32_t> initializers(TensorId id) const;
  [[nodiscard]] std::span<const std::int32_t> sparse_initializers(TensorId id) const;
  [[nodiscard]] std::span<const std::int32_t> value_infos(TensorId id) const;

 private:
  enum Flag : std::uint8_t { kConstant = 1, kVaries = 2 };
  // Positions in a repeated field by the tensor that they name, sorted by tensor.
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

// The value of a Constant node as an initializer named like its output; absent where the node holds none that an
// initializer can hold (sparse values), or where it is no Constant.
std::optional<onnx::TensorProto> constant_value(const onnx::NodeProto& node);

}  // namespace assay::edit
