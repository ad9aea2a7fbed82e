// Says which line of a PyTorch program a node comes from. torch.onnx.export() writes the stack trace of each node into
// the model, as metadata with the key pkg.torch.onnx.stack_trace (see PyTorch's documentation of torch.onnx).
#pragma once

#include <onnx/onnx_pb.h>

#include <string>

namespace assay::model {

// Returns "model.py:12, in forward: x = self.conv(x)" for a node, from its own metadata; empty if it has none. The line
// is the innermost of the trace that isn't in PyTorch itself.
std::string source_line(const onnx::NodeProto& node);

// Returns describe_node() with the source line, if there is one: "Conv 'conv_1' (node #3), from model.py:12, in
// forward: ...".
std::string describe_with_source(const onnx::NodeProto& node, int index);

}  // namespace assay::model
