// Counts the nodes of a model by operator: what it consists of, at a glance.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace assay::model {

// Returns the operator of a node, with the domain if that isn't ONNX's own: "Conv", "com.microsoft.Gelu".
std::string operator_name(const onnx::NodeProto& node);

// By operator_name().
using OperatorCounts = std::map<std::string, std::size_t>;

struct CountedNodes {
  OperatorCounts direct;  // the nodes themselves
  OperatorCounts inside;  // the nodes of their bodies, at any depth
};
CountedNodes count_operators(const google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes);

// Returns the counts of all nodes of the graph and of its bodies.
OperatorCounts count_all_operators(const onnx::GraphProto& graph);

// Returns the number of all nodes.
std::size_t total(const OperatorCounts& counts);

// Returns the most frequent operator first, and equally frequent ones by name.
std::vector<std::pair<std::string, std::size_t>> most_frequent_first(const OperatorCounts& counts);

struct OperatorChange {
  std::string name;
  std::size_t before = 0;
  std::size_t after = 0;
};
// Returns the operators of which there are more or fewer, the largest change first, and equally large ones by name.
std::vector<OperatorChange> changed_operators(OperatorCounts before, OperatorCounts after);

}  // namespace assay::model
