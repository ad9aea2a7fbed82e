#include "reduce/search/loose_bypass.h"

#include <algorithm>
#include <memory>
#include <string>

#include "edit/changes/model_change.h"
#include "model/inference/infer_shapes.h"
#include "model/shapes.h"
#include "reduce/candidates/body_graphs.h"
#include "reduce/candidates/constants.h"
#include "reduce/search/single_change.h"
#include "reduce/values/supply_boundary.h"
#include "tensor/tensor.h"

namespace assay::reduce {
namespace {

// A node with weights does more than change sizes, so its readers rarely work without it.
bool has_weights(const onnx::GraphProto& graph, const onnx::NodeProto& node) {
  return std::ranges::any_of(node.input(), [&](const std::string& name) {
    const onnx::TensorProto* weight = find_weight(graph, name);
    if (weight == nullptr) return false;
    const auto kind = tensor::info(static_cast<tensor::ElementType>(weight->data_type())).kind;
    return kind == tensor::ElementKind::floating;
  });
}

// Outputs without a rank get the rank that they have in `before`, with unknown sizes. ONNX's checker demands a rank.
void keep_ranks(const onnx::GraphProto& before, onnx::GraphProto& graph) {
  for (int i = 0; i < graph.output_size(); ++i) {
    const onnx::TypeProto::Tensor& old = before.output(i).type().tensor_type();
    if (!graph.output(i).type().has_tensor_type() || !old.has_shape()) continue;
    onnx::TypeProto::Tensor& type = *graph.mutable_output(i)->mutable_type()->mutable_tensor_type();
    if (!type.has_shape()) model::set_rank(type, old.shape().dim_size());
  }
}

bool all_ranks_known(const onnx::GraphProto& graph) {
  return std::ranges::all_of(graph.output(), [](const onnx::ValueInfoProto& output) {
    return !output.type().has_tensor_type() || output.type().tensor_type().has_shape();
  });
}

}  // namespace

bool same_type_and_rank(const onnx::ValueInfoProto& a, const onnx::ValueInfoProto& b) {
  const onnx::TypeProto::Tensor& first = a.type().tensor_type();
  const onnx::TypeProto::Tensor& second = b.type().tensor_type();
  return first.elem_type() == second.elem_type() && first.has_shape() && second.has_shape() &&
         first.shape().dim_size() == second.shape().dim_size();
}

SharedModel bypass_loosely(const model::Model& model, const edit::ValueInfos& known, const edit::NodePlace& place) {
  const onnx::NodeProto& node = *place.node;
  if (node.input_size() == 0 || node.output_size() != 1 || node.input(0).empty()) return nullptr;
  if (has_weights(model.graph(), node)) return nullptr;
  const onnx::ValueInfoProto* from = edit::find_known(known, node.input(0));
  const onnx::ValueInfoProto* to = edit::find_known(known, node.output(0));
  if (from == nullptr || to == nullptr || same_type(*from, *to)) return nullptr;
  const bool keeps_rank = same_type_and_rank(*from, *to);
  const onnx::TypeProto::Tensor& type = from->type().tensor_type();
  if (type.elem_type() != to->type().tensor_type().elem_type() || !type.has_shape()) return nullptr;
  if (keeps_rank && is_scalar(from)) return nullptr;
  const edit::ModelChange change{{},
                                 {edit::RenameUses{{}, node.output(0), node.input(0)}, edit::RemoveNode{place.ref}}};
  const SharedModel bypassed = apply_alone(model, change, known);
  if (!bypassed) return nullptr;
  auto result = std::make_shared<model::Model>(*bypassed);
  result->graph().clear_value_info();
  for (onnx::ValueInfoProto& output : *result->graph().mutable_output()) {
    if (output.type().has_tensor_type()) output.mutable_type()->mutable_tensor_type()->clear_shape();
  }
  if (!model::infer_shapes(*result)) return nullptr;
  // A reader that doesn't accept the other rank stops inference.
  if (!keeps_rank && !all_ranks_known(result->graph())) return nullptr;
  keep_ranks(bypassed->graph(), result->graph());
  return result;
}

}  // namespace assay::reduce
