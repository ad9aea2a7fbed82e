// Both edits are reachability: backwards from the outputs, stopping at cuts, and forwards from the cuts.
//
// The result of a cut is what users of Polygraphy know: a node that depends on constants alone stays with its consumer,
// but once a branch must be supplied from outside, everything that doesn't depend on the cut is removed with it.
#include "edit/edit_selection.h"

#include <algorithm>
#include <utility>

#include "base/at.h"

namespace assay::edit {
namespace {

using base::at;
using Marks = std::vector<bool>;

Marks marks_of(const std::vector<std::int32_t>& ids, int count) {
  Marks marks(at(count), false);
  for (const std::int32_t id : ids) marks[at(id)] = true;
  return marks;
}

// The kept nodes that `targets` need, without looking past cut tensors.
struct Ancestors {
  Marks nodes;
  bool pass_the_cut = false;  // a varying tensor that isn't cut comes from outside
};

Ancestors ancestors(const Subject& subject, const Marks& kept, const std::vector<TensorId>& targets, const Marks& cut) {
  const model::GraphView& view = subject.view();
  Ancestors result{.nodes = Marks(at(view.node_count()), false)};
  std::vector<NodeId> pending;
  const auto need = [&](TensorId tensor) {
    if (cut[at(tensor)]) return;
    const NodeId producer = view.producer(tensor);
    if (producer == kNone || !kept[at(producer)]) {
      result.pass_the_cut |= subject.varies(tensor);
      return;
    }
    const auto keep = [&](NodeId node) {
      if (!kept[at(node)] || result.nodes[at(node)]) return;
      result.nodes[at(node)] = true;
      pending.push_back(node);
    };
    keep(producer);
    std::ranges::for_each(subject.further_producers(tensor), keep);
  };
  for (const TensorId target : targets) need(target);
  while (!pending.empty()) {
    const NodeId node = pending.back();
    pending.pop_back();
    for (const TensorId input : view.inputs(node)) need(input);
  }
  return result;
}

// Returns the nodes among `candidates` that depend on a cut tensor.
Marks descendants(const Subject& subject, const Marks& candidates, const std::vector<TensorId>& cut) {
  const model::GraphView& view = subject.view();
  Marks result(candidates.size(), false);
  std::vector<TensorId> pending = cut;
  while (!pending.empty()) {
    const TensorId tensor = pending.back();
    pending.pop_back();
    for (const NodeId consumer : view.consumers(tensor)) {
      if (!candidates[at(consumer)] || result[at(consumer)]) continue;
      result[at(consumer)] = true;
      pending.insert(pending.end(), view.outputs(consumer).begin(), view.outputs(consumer).end());
    }
  }
  return result;
}

std::vector<NodeId> list(const std::vector<NodeId>& kept, const Marks& marks) {
  std::vector<NodeId> result;
  std::ranges::copy_if(kept, std::back_inserter(result), [&](NodeId id) { return marks[at(id)]; });
  return result;
}

void drop_unneeded_values(const Subject& subject, Selection& selection) {
  if (selection.frozen.empty()) return;
  std::map<TensorId, tensor::Tensor> frozen = std::exchange(selection.frozen, {});
  for (const TensorId id : boundary(subject, selection)) {
    if (const auto value = frozen.find(id); value != frozen.end()) selection.frozen.insert(std::move(*value));
  }
}

}  // namespace

Selection with_outputs(const Subject& subject, const Selection& selection, const std::vector<TensorId>& tensors) {
  const Marks kept = marks_of(selection.nodes, subject.view().node_count());
  const Marks no_cut(at(subject.view().tensor_count()), false);
  Selection result{.nodes = list(selection.nodes, ancestors(subject, kept, tensors, no_cut).nodes),
                   .outputs = tensors,
                   .frozen = selection.frozen};
  drop_unneeded_values(subject, result);
  return result;
}

Selection cut_at(const Subject& subject, const Selection& selection, const std::vector<TensorId>& tensors) {
  const Marks kept = marks_of(selection.nodes, subject.view().node_count());
  const Ancestors needed =
      ancestors(subject, kept, selection.outputs, marks_of(tensors, subject.view().tensor_count()));
  Selection result;
  result.frozen = selection.frozen;
  result.nodes =
      list(selection.nodes, needed.pass_the_cut ? descendants(subject, needed.nodes, tensors) : needed.nodes);
  const Marks produced = produced_by(subject, result.nodes);
  std::ranges::copy_if(selection.outputs, std::back_inserter(result.outputs),
                       [&](TensorId id) { return produced[at(id)]; });
  drop_unneeded_values(subject, result);
  return result;
}

}  // namespace assay::edit
