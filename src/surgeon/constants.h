// Which names of a graph stand for constants, seen from inside: a body sees those of the graphs around it too.
#pragma once

#include <onnx/onnx_pb.h>

#include <string_view>
#include <unordered_map>

namespace assay::surgeon {

// Refers to the graph's messages; valid while they live unchanged.
class Constants {
 public:
  // Dense initializers, whether they are also graph inputs or not.
  explicit Constants(const onnx::GraphProto& graph, const Constants* outer = nullptr);

  // The initializer that the name means here; null where it means something else, or nothing.
  [[nodiscard]] const onnx::TensorProto* find(std::string_view name) const;

 private:
  const Constants* outer_;
  std::unordered_map<std::string_view, const onnx::TensorProto*> names_;  // null: defined here, not constant
};

// Turns Constant nodes into initializers of the same name, in the graph and in all bodies. Those that hold a sparse
// tensor stay. Gives their number.
int lift_constants(onnx::ModelProto& model);

// Adds an initializer to the model's graph or to a body in it. Before IR version 4, an initializer of the model's graph
// has to be one of its inputs too, and becomes one.
void add_initializer(onnx::ModelProto& model, onnx::GraphProto& graph, onnx::TensorProto weight);

}  // namespace assay::surgeon
