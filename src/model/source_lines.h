// Says which line of a PyTorch program a node comes from. torch.onnx.export() writes the stack trace of each node into
// the model, as metadata with the key pkg.torch.onnx.stack_trace (PyTorch's documentation of torch.onnx, "Metadata of
// nodes").
#pragma once

#include <onnx/onnx_pb.h>

#include <string>
#include <string_view>
#include <unordered_map>

namespace assay::model {

// Returns "model.py:12, in forward: x = self.conv(x)" for a node, from its own metadata; empty if it has none. The line
// is the innermost of the trace that isn't in PyTorch itself.
std::string source_line(const onnx::NodeProto& node);

// The source lines of a model's nodes, those in bodies and functions included. A reduction removes metadata that the
// failure doesn't need, so the nodes of its result are found in the original model, by name or else by their first
// output.
class SourceLines {
 public:
  explicit SourceLines(const onnx::ModelProto& original);

  // Returns describe_node() of a node that may come from a changed copy of the model, with its source line if that is
  // known: "Conv 'conv_1' (node #3), from model.py:12, in forward: x = self.conv(x)".
  [[nodiscard]] std::string describe(const onnx::NodeProto& node, int index) const;

 private:
  void add(const google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes);

  std::unordered_map<std::string, std::string> by_name_;
  std::unordered_map<std::string, std::string> by_output_;
};

}  // namespace assay::model
