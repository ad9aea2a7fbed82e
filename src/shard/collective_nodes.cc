#include "shard/collective_nodes.h"

#include <fmt/format.h>
#include <onnx/defs/attr_proto_util.h>

#include <numeric>
#include <utility>

#include "base/at.h"
#include "base/counted.h"
#include "edit/rename_tensors.h"
#include "edit/visit_graphs.h"

namespace assay::shard {

CollectiveNodes::CollectiveNodes(onnx::GraphProto& graph, const Collective& collective)
    : graph_(graph), collective_(collective), names_(graph), node_names_(graph) {}

void CollectiveNodes::rename_reads(const std::string& from, const std::string& to) {
  for (onnx::NodeProto& node : *graph_.mutable_node()) {
    for (std::string& input : *node.mutable_input()) {
      if (input == from) input = to;
    }
    edit::visit_bodies(node, [&](onnx::GraphProto& body) { edit::rename_tensors(body, {{from, to}}); });
  }
}

std::string CollectiveNodes::unused_name(const std::string& wanted) {
  return names_.take(wanted);
}

onnx::NodeProto& CollectiveNodes::add_node(const char* op, const std::string& from, const std::string& to) {
  onnx::NodeProto& node = *graph_.add_node();
  node.set_op_type(op);
  node_names_.give(node, "make_" + to);
  node.add_input(from);
  node.add_output(to);
  return node;
}

void CollectiveNodes::add_transpose(const std::string& from, const std::string& to,
                                    const std::vector<std::int64_t>& permutation) {
  *add_node("Transpose", from, to).add_attribute() = onnx::MakeAttribute("perm", permutation);
}

void CollectiveNodes::add_collective(const std::string& from, const std::string& to, std::string_view operation) {
  const std::string reduce_op = operation == kReduceScatter ? collective_.reduce_op
                                : operation == kAllReduce   ? "sum"
                                                            : "none";
  auto& attributes = *add_node("DistCollective", from, to).mutable_attribute();
  *attributes.Add() = onnx::MakeAttribute("group_size", collective_.group_size);
  *attributes.Add() = onnx::MakeAttribute("root", collective_.root);
  *attributes.Add() = onnx::MakeAttribute("nb_rank", collective_.rank_count);
  *attributes.Add() = onnx::MakeAttribute("reduce_op", reduce_op);
  *attributes.Add() = onnx::MakeAttribute("collective_operation", std::string(operation));
  *attributes.Add() = onnx::MakeAttribute("groups", collective_.groups);
}

base::Status CollectiveNodes::add_collective(const ShardTensor& tensor, const std::string& from, const std::string& to,
                                             std::string_view operation) {
  if (tensor.axis < 0 || (tensor.rank ? tensor.axis >= *tensor.rank : tensor.axis > 0)) {
    const std::string rank =
        tensor.rank ? "has " + base::counted(*tensor.rank, "dimension") : std::string("has an unknown rank");
    return base::fail(base::ErrorKind::invalid_input,
                      fmt::format("'{}' {}, so its dimension {} can't be split", tensor.name, rank, tensor.axis),
                      "seq_len_idx",
                      tensor.rank ? "Name another dimension, or leave the tensor out of the hints"
                                  : "Use --shape-inference, or set the rank in the hints");
  }
  if (tensor.axis == 0) {
    add_collective(from, to, operation);
    return {};
  }
  std::vector<std::int64_t> exchange(base::at(*tensor.rank));
  std::iota(exchange.begin(), exchange.end(), 0);
  std::swap(exchange.front(), exchange[base::at(tensor.axis)]);
  const std::string first = unused_name(to + "_first"), moved = unused_name(to + "_moved");
  add_transpose(from, first, exchange);
  add_collective(first, moved, operation);
  add_transpose(moved, to, exchange);
  return {};
}

void CollectiveNodes::insert_after(model::NodeId node, std::string_view operation) {
  std::string& result = *graph_.mutable_node(node)->mutable_output(0);
  const std::string whole = result;
  result = unused_name(whole + "_part");
  add_collective(result, whole, operation);
}

}  // namespace assay::shard
