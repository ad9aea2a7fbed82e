// What ONNX infers of one node's outputs, from what is known of its inputs: tells whether a change to the node would
// contradict the rest of the model.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reduce/passes/pass.h"

namespace assay::reduce {

class NodeInference {
 public:
  // Refers to `input`, which must outlive this object.
  explicit NodeInference(const PassInput& input);

  // The types of all outputs, "" for those that are left out; empty types where nothing can be inferred. `values`
  // stand for initializers of these names. Sizes of inputs that are open have symbols, each its own where the model
  // gives none. Absent where inference breaks.
  std::optional<std::vector<onnx::TypeProto>> outputs(const onnx::NodeProto& node,
                                                      const std::vector<onnx::TensorProto>& values = {}) const;

  // How the outputs of `after` differ in type and shape from those of `before`; those that it leaves out aside. They
  // can be told where all their sizes are numbers or symbols.
  enum class Effect { none, other, unknown };
  Effect compare(const onnx::NodeProto& before, const onnx::NodeProto& after,
                 const std::vector<onnx::TensorProto>& values = {}) const;

 private:
  const PassInput& input_;
  std::map<std::string, const onnx::TensorProto*> constants_;
  std::map<std::string, onnx::TensorProto> constant_nodes_;
};

}  // namespace assay::reduce
