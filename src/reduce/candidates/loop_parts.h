// Reads the parts of Loop and Scan nodes, and checks that these match.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace assay::reduce {

// A Loop takes a number of iterations, a condition and its states. Its body takes these, too, and returns a condition,
// the states and what is stacked. The Loop outputs all of that but the condition.
inline constexpr int kBeforeStates = 2;  // the inputs before the states

struct LoopParts {
  const onnx::GraphProto* body;
  int states;
};
// Returns nothing if the node isn't a Loop, or the numbers of inputs and outputs don't match.
std::optional<LoopParts> read_loop(const onnx::NodeProto& node);

// A Scan and its body take states, then scanned inputs, and return the states, then what is stacked.
struct ScanParts {
  const onnx::GraphProto* body;
  int states;
  // For each scanned input, which axis is scanned, and whether from its end.
  std::vector<std::int64_t> input_axes, input_backward;
  // For each output that is stacked, along which axis, and whether from its end.
  std::vector<std::int64_t> output_axes, output_backward;
};
// Returns nothing if the node isn't a Scan, or the numbers of inputs and outputs don't match.
std::optional<ScanParts> read_scan(const onnx::NodeProto& node);

}  // namespace assay::reduce
