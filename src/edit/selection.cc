// Sets of nodes are stored as sorted lists and processed as arrays of flags.
#include "edit/selection.h"

#include <algorithm>

#include "base/at.h"

namespace assay::edit {

using base::at;

Selection whole(const Subject& subject) {
  Selection selection;
  selection.nodes.assign(subject.nodes().begin(), subject.nodes().end());
  for (const onnx::ValueInfoProto& output : subject.model().graph().output()) {
    selection.outputs.push_back(subject.view().find(output.name()));
  }
  return selection;
}

std::vector<bool> produced_by(const Subject& subject, const std::vector<NodeId>& nodes) {
  std::vector<bool> produced(at(subject.view().tensor_count()), false);
  for (const NodeId id : nodes) {
    for (const TensorId output : subject.view().outputs(id)) produced[at(output)] = true;
  }
  return produced;
}

std::vector<TensorId> boundary(const Subject& subject, const Selection& selection) {
  const model::GraphView& view = subject.view();
  std::vector<bool> known = produced_by(subject, selection.nodes);  // later also those already in the result
  std::vector<TensorId> result;
  const auto need = [&](TensorId id) {
    if (known[at(id)] || subject.is_constant(id) || selection.frozen.contains(id)) return;
    if (view.producer(id) == kNone && !view.is_graph_input(id)) return;
    known[at(id)] = true;
    result.push_back(id);
  };
  for (const NodeId node : selection.nodes) {
    for (const TensorId input : view.inputs(node)) need(input);
  }
  for (const TensorId output : selection.outputs) need(output);
  return result;
}

Selection with_producers(const Subject& subject, Selection selection, const std::vector<TensorId>& tensors) {
  for (const TensorId id : tensors) {
    const NodeId producer = subject.view().producer(id);
    if (producer != kNone) selection.nodes.push_back(producer);
  }
  std::ranges::sort(selection.nodes);
  const auto repeated = std::ranges::unique(selection.nodes);
  selection.nodes.erase(repeated.begin(), repeated.end());
  return selection;
}

std::string key(const Selection& selection) {
  std::string bytes;
  const auto add = [&](std::int32_t id) { bytes.append(reinterpret_cast<const char*>(&id), sizeof(id)); };
  for (const NodeId id : selection.nodes) add(id);
  add(kNone);
  for (const TensorId id : selection.outputs) add(id);
  add(kNone);
  for (const auto& [id, value] : selection.frozen) add(id);
  add(kNone);
  add(selection.fixed_shapes ? 1 : 0);
  add(selection.keep_unread ? 1 : 0);
  return bytes;
}

}  // namespace assay::edit
