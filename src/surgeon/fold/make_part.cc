#include "surgeon/fold/make_part.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_set>

#include "model/onnx_facts.h"
#include "model/weights.h"

namespace assay::surgeon {
namespace {

// The newest IR version that ONNX Runtime 1.20 takes. Values don't depend on it, but an engine refuses versions that it
// doesn't know.
constexpr std::int64_t kKnownToEngines = 10;

}  // namespace

model::Model make_part(const model::Model& model, const model::GraphView& view, const Constants& constants,
                       std::span<const model::NodeId> nodes, std::span<const model::TensorId> wanted,
                       const std::map<model::TensorId, tensor::Tensor>& known) {
  model::Model part = model::without_message(model);
  part.proto.set_ir_version(std::clamp(model.proto.ir_version(), model::kFreeInitializers, kKnownToEngines));
  *part.proto.mutable_opset_import() = model.proto.opset_import();
  *part.proto.mutable_functions() = model.proto.functions();
  onnx::GraphProto& graph = part.graph();
  graph.set_name("part");

  std::unordered_set<model::TensorId> produced;
  std::unordered_set<model::TensorId> added;
  for (const model::NodeId id : nodes) {
    *graph.add_node() = view.node(id);
    produced.insert(view.outputs(id).begin(), view.outputs(id).end());
  }
  for (const model::NodeId id : nodes) {
    for (const model::TensorId input : view.inputs(id)) {
      if (produced.contains(input) || !added.insert(input).second) continue;
      const std::string name(view.name(input));
      if (const auto at = known.find(input); at != known.end()) {
        *graph.add_initializer() = model::to_proto(name, at->second);
      } else if (const onnx::TensorProto* weight = constants.find(name)) {
        *graph.add_initializer() = *weight;
      }
    }
  }
  for (const model::TensorId id : wanted) graph.add_output()->set_name(std::string(view.name(id)));
  return part;
}

std::uint64_t constant_bytes(const model::GraphView& view, const Constants& constants, model::NodeId node) {
  std::uint64_t bytes = 0;
  for (const model::TensorId input : view.inputs(node)) {
    if (const onnx::TensorProto* weight = constants.find(view.name(input))) bytes += model::data_bytes(*weight);
  }
  return bytes;
}

}  // namespace assay::surgeon
