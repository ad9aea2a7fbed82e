// Infers the outputs of one node with ONNX's shape inference, to find out whether a change to the node would contradict
// the rest of the model.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reduce/passes/pass.h"

namespace assay::reduce {

class NodeInference {
 public:
  // `input` must outlive this object.
  explicit NodeInference(const PassInput& input);

  // Returns the types of all outputs of the node; a type is empty if it can't be inferred or the output is omitted.
  // `values` stand in for initializers of these names. Dynamic dimensions of inputs are symbols, each its own if the
  // model gives none. Returns nothing if inference fails.
  std::optional<std::vector<onnx::TypeProto>> outputs(const onnx::NodeProto& node,
                                                      const std::vector<onnx::TensorProto>& values = {}) const;

  // Returns how the types and shapes of `after`'s outputs differ from those of `before`, apart from outputs that
  // `after` omits. The answer is `unknown` unless all sizes are numbers or symbols.
  enum class Effect { none, other, unknown };
  Effect compare(const onnx::NodeProto& before, const onnx::NodeProto& after,
                 const std::vector<onnx::TensorProto>& values = {}) const;

 private:
  const PassInput& input_;
  std::map<std::string, const onnx::TensorProto*> constants_;
  std::map<std::string, onnx::TensorProto> constant_nodes_;
};

}  // namespace assay::reduce
