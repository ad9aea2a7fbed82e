#include "lint/part.h"

#include "base/at.h"

namespace assay::lint {
namespace {

using base::at;
using model::kNone;
using model::NodeId;
using model::TensorId;

void add_weights(const onnx::GraphProto& graph, const model::GraphView& view, const std::vector<bool>& read,
                 onnx::GraphProto& part) {
  for (const onnx::TensorProto& weight : graph.initializer()) {
    const TensorId id = view.find(weight.name());
    if (read[at(id)] && view.initializer(id) == &weight) *part.add_initializer() = weight;
  }
  for (const onnx::SparseTensorProto& weight : graph.sparse_initializer()) {
    if (read[at(view.find(weight.values().name()))]) *part.add_sparse_initializer() = weight;
  }
}

}  // namespace

Part make_part(const model::Model& model, const model::GraphView& view, std::span<const NodeId> nodes,
               const std::map<std::string, model::TensorInfo>& infos, const std::vector<bool>& wanted) {
  Part part;
  part.model = model::without_message(model);
  part.model.proto.set_ir_version(model.proto.ir_version());
  *part.model.proto.mutable_opset_import() = model.proto.opset_import();
  *part.model.proto.mutable_functions() = model.proto.functions();
  onnx::GraphProto& graph = part.model.graph();
  graph.set_name("part");

  std::vector<bool> inside(at(view.node_count())), read(at(view.tensor_count()));
  for (const NodeId id : nodes) inside[at(id)] = true;
  for (const NodeId id : nodes) {
    *graph.add_node() = view.node(id);
    for (const TensorId input : view.inputs(id)) {
      if (read[at(input)]) continue;
      read[at(input)] = true;
      const NodeId from = view.producer(input);
      if (view.is_initializer(input) || (from != kNone && inside[at(from)])) continue;
      part.inputs.emplace_back(view.name(input));
      const auto info = infos.find(part.inputs.back());
      *graph.add_input() =
          model::to_value_info(part.inputs.back(), info == infos.end() ? model::TensorInfo{} : info->second);
    }
  }
  add_weights(model.graph(), view, read, graph);
  for (const NodeId id : nodes) {
    for (const TensorId output : view.outputs(id)) {
      if (view.producer(output) != id || (read[at(output)] && !wanted[at(output)])) continue;
      part.outputs.emplace_back(view.name(output));
      graph.add_output()->set_name(part.outputs.back());
    }
  }
  return part;
}

}  // namespace assay::lint
