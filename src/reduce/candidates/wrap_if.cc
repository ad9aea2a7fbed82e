// Both branches of an If must return the same outputs, so the other branch changes with the candidate's.
#include <algorithm>
#include <utility>

#include "reduce/candidates/wrapping.h"
#include "reduce/candidates/zeros.h"

namespace assay::reduce {
namespace {

void drop_dead_nodes(onnx::GraphProto& graph) {
  for (int i = graph.node_size() - 1; i >= 0; --i) {
    const bool needed = std::ranges::any_of(graph.node(i).output(), [&](const std::string& name) {
      return !name.empty() && (is_output(graph, name) || is_read(graph, name));
    });
    if (!needed) graph.mutable_node()->DeleteSubrange(i, 1);
  }
}

}  // namespace

bool IfWrapping::fit() {
  const std::string_view other_name = attribute_ == model::kThenBranch ? model::kElseBranch : model::kThenBranch;
  const onnx::GraphProto* other_old = find_body(before_, other_name);
  if (other_old == nullptr || old_.output_size() != before_.output_size()) return false;
  if (other_old->output_size() != before_.output_size()) return false;
  onnx::GraphProto other = *other_old;
  other.clear_output();
  edit::Renames renames;
  if (!capture_inputs(renames)) return false;
  for (int i = 0; i < before_.output_size(); ++i) {
    if (!claim_output(old_.output(i).name())) continue;
    *body_.add_output() = *outputs_.at(old_.output(i).name());
    *other.add_output() = other_old->output(i);
    node_.add_output(before_.output(i));
  }
  for (const onnx::ValueInfoProto& value : candidate_.output()) {
    if (!claim_output(value.name())) continue;
    if (!has_shape(value)) return false;
    const std::string name = names_.make(value.name());
    *body_.add_output() = value;
    if (!add_constant_output(other, value)) return false;
    add_outer_output(value, name);
    node_.add_output(name);
  }
  edit::rename_tensors(body_, renames);
  drop_dead_nodes(other);
  *attribute_of(node_, other_name).mutable_g() = std::move(other);
  return true;
}

bool IfWrapping::add_constant_output(onnx::GraphProto& graph, const onnx::ValueInfoProto& like) {
  onnx::ValueInfoProto output = like;
  output.set_name(names_.make(like.name()));
  auto zeros = zeros_node(output);
  if (!zeros) return false;
  *graph.add_node() = *std::move(zeros);
  *graph.add_output() = std::move(output);
  return true;
}

}  // namespace assay::reduce
