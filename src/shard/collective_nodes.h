// Adds the nodes with which devices exchange tensors.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "edit/node_names.h"
#include "edit/tensor_names.h"
#include "model/graph_view.h"
#include "shard/shard_hints.h"

namespace assay::shard {

// Operations of TensorRT's DistCollective: each device gets its part of the combined tensor, the parts of all devices,
// or the sum of their tensors.
inline constexpr std::string_view kReduceScatter = "reduce_scatter";
inline constexpr std::string_view kAllGather = "all_gather";
inline constexpr std::string_view kAllReduce = "all_reduce";

// Adds nodes at the end of a graph, so that the positions of the others stay valid; sort_nodes() puts them in order.
class CollectiveNodes {
 public:
  // Refers to both, which must outlive it.
  CollectiveNodes(onnx::GraphProto& graph, const Collective& collective);

  // Makes all nodes and bodies that read a tensor read another one.
  void rename_reads(const std::string& from, const std::string& to);
  // Returns `wanted`, with a number if a tensor has that name, and reserves it.
  std::string unused_name(const std::string& wanted);

  // Adds a DistCollective that computes `to` from `from`. It works on the first dimension.
  void add_collective(const std::string& from, const std::string& to, std::string_view operation);
  // The same for dimension `tensor.axis`, which a Transpose before and after it moves to the front. Errors:
  // invalid_input if the tensor has no such dimension, or its rank is unknown.
  base::Status add_collective(const ShardTensor& tensor, const std::string& from, const std::string& to,
                              std::string_view operation);
  // Adds a DistCollective after a node, for its first output. The output's name becomes that of the collective's, and
  // the node's own output gets a new name.
  void insert_after(model::NodeId node, std::string_view operation);
  void add_transpose(const std::string& from, const std::string& to, const std::vector<std::int64_t>& permutation);

 private:
  onnx::NodeProto& add_node(const char* op, const std::string& from, const std::string& to);

  onnx::GraphProto& graph_;
  const Collective& collective_;
  edit::TensorNames names_;
  edit::NodeNames node_names_;
};

}  // namespace assay::shard
