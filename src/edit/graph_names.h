// Collects the names that a graph and its bodies define, read and output.
#pragma once

#include <onnx/onnx_pb.h>

#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace assay::edit {

struct GraphNames {
  using Set = std::unordered_set<std::string_view>;
  Set defined;   // inputs, initializers and outputs of nodes
  Set produced;  // outputs of nodes
  Set read;      // by nodes, and by their bodies if the name is defined in this or an outer graph
  Set outputs;
  std::vector<std::string_view> undefined;  // in `read` and not in `defined`, in order of first use

  [[nodiscard]] bool uses(std::string_view name) const { return read.contains(name) || outputs.contains(name); }
};

using NamesByGraph = std::unordered_map<const onnx::GraphProto*, GraphNames>;

// Returns the names of the graph and of all bodies in it, as views of the messages' own strings. Names may be defined
// twice or nowhere, in any order: a name that a graph defines anywhere is its own.
NamesByGraph collect_names(const onnx::GraphProto& graph);

}  // namespace assay::edit
