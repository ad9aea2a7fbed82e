#include "shard/find_attention.h"

namespace assay::shard {
namespace {

using model::GraphView;
using model::kNone;
using model::NodeId;

// Calls `visit` for each `op` node whose first input is the first output of `node`.
template <class Visit>
void visit_next(const GraphView& view, NodeId node, std::string_view op, const Visit& visit) {
  if (view.node(node).output_size() == 0) return;
  const std::string& tensor = view.node(node).output(0);
  if (tensor.empty()) return;
  for (const NodeId reader : view.consumers(view.find(tensor))) {
    const onnx::NodeProto& next = view.node(reader);
    if (next.op_type() == op && next.input_size() > 0 && next.input(0) == tensor) visit(reader);
  }
}

}  // namespace

std::vector<Attention> find_attention(const GraphView& view) {
  std::vector<Attention> found;
  for (NodeId scores = 0; scores < view.node_count(); ++scores) {
    if (view.node(scores).op_type() != "MatMul" || view.node(scores).input_size() != 2) continue;
    visit_next(view, scores, "Softmax", [&](NodeId shares) {
      visit_next(view, shares, "MatMul", [&](NodeId result) {
        if (view.node(result).input_size() == 2) found.push_back({scores, result});
      });
    });
  }
  return found;
}

}  // namespace assay::shard
