#include "shard/find_attention.h"

#include "shard/has_operands.h"

namespace assay::shard {
namespace {

using model::GraphView;
using model::kNone;
using model::NodeId;

// Calls `visit` for each `op` node whose first input is the first output of `node`, which has one.
template <class Visit>
void visit_next(const GraphView& view, NodeId node, std::string_view op, const Visit& visit) {
  const std::string& tensor = view.node(node).output(0);
  for (const NodeId reader : view.consumers(view.find(tensor))) {
    const onnx::NodeProto& next = view.node(reader);
    if (next.op_type() == op && has_operands(next, 1) && next.input(0) == tensor) visit(reader);
  }
}

// Returns the first operand of the Mul that computes operand `operand` of a node, or empty.
std::string scaled_tensor(const GraphView& view, NodeId node, int operand) {
  const NodeId mul = view.producer(view.find(view.node(node).input(operand)));
  const bool is_mul = mul != kNone && view.node(mul).op_type() == "Mul" && has_operands(view.node(mul), 2);
  return is_mul ? view.node(mul).input(0) : std::string();
}

// Returns Q of the MatMul of Q and K, as hints name it, or empty if the MatMul isn't of this form.
std::string find_q(const GraphView& view, NodeId scores, AttentionForm form) {
  if (form == AttentionForm::plain) return view.node(scores).input(0);
  return scaled_tensor(view, scores, 1).empty() ? std::string() : scaled_tensor(view, scores, 0);
}

}  // namespace

std::vector<Attention> find_attention(const GraphView& view, AttentionForm form) {
  std::vector<Attention> found;
  for (NodeId scores = 0; scores < view.node_count(); ++scores) {
    if (view.node(scores).op_type() != "MatMul" || !has_operands(view.node(scores), 2)) continue;
    const std::string q = find_q(view, scores, form);
    if (q.empty()) continue;
    visit_next(view, scores, "Softmax", [&](NodeId shares) {
      visit_next(view, shares, "MatMul", [&](NodeId result) {
        if (has_operands(view.node(result), 2)) found.push_back({scores, result, q});
      });
    });
  }
  return found;
}

}  // namespace assay::shard
