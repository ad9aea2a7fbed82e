// Looks up the names of a graph that stand for constants. A body also sees those of the graphs around it.
#pragma once

#include <onnx/onnx_pb.h>

#include <string_view>
#include <unordered_map>

namespace assay::surgeon {

// Refers to the graph's messages; valid while they live and don't change. Others may be added to the graph.
class Constants {
 public:
  // Covers dense initializers, even if they are also graph inputs.
  explicit Constants(const onnx::GraphProto& graph, const Constants* outer = nullptr);

  // Record what was added to the graph since then.
  void add(const onnx::NodeProto& node);
  void add(const onnx::SparseTensorProto& weight);
  void add(const onnx::TensorProto& weight);

  // Returns the initializer that the name means here, or null if it isn't a dense initializer or isn't defined.
  [[nodiscard]] const onnx::TensorProto* find(std::string_view name) const;

 private:
  const Constants* outer_;
  std::unordered_map<std::string_view, const onnx::TensorProto*> names_;  // null: defined here, not constant
};

// Turns Constant nodes into initializers of the same name, in the graph and in all bodies. Constants that hold a sparse
// tensor stay. Returns the number of nodes removed.
int lift_constants(onnx::ModelProto& model);

// Adds an initializer to the model's graph or to a body in it. Before IR version 4, an initializer of the model's graph
// must also be a graph input, so one is added.
void add_initializer(onnx::ModelProto& model, onnx::GraphProto& graph, onnx::TensorProto weight);

}  // namespace assay::surgeon
