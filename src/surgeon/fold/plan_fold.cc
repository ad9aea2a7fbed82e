#include "surgeon/fold/plan_fold.h"

#include <algorithm>

#include "base/at.h"
#include "model/dependencies.h"

namespace assay::surgeon {
namespace {

using base::at;

}  // namespace

FoldPlan plan_fold(const model::GraphView& view, const std::vector<bool>& foldable,
                   const std::function<bool(model::TensorId)>& may_be_value) {
  FoldPlan plan;
  plan.stays.assign(foldable.size(), false);
  std::vector<bool> seen(at(view.tensor_count()), false);
  std::vector<model::TensorId> pending;
  const auto need = [&](model::TensorId id) {
    if (id == model::kNone || seen[at(id)]) return;
    seen[at(id)] = true;
    pending.push_back(id);
  };
  for (model::NodeId id = 0; id < view.node_count(); ++id) {
    if (foldable[at(id)]) continue;
    for (const model::TensorId input : view.inputs(id)) need(input);
  }
  for (const onnx::ValueInfoProto& output : view.graph().output()) need(view.find(output.name()));

  while (!pending.empty()) {
    const model::TensorId id = pending.back();
    pending.pop_back();
    const model::NodeId producer = view.producer(id);
    if (producer == model::kNone || !foldable[at(producer)]) continue;
    if (may_be_value(id)) {
      plan.wanted.push_back(id);
    } else if (!plan.stays[at(producer)]) {
      plan.stays[at(producer)] = true;
      for (const model::TensorId input : view.inputs(producer)) need(input);
    }
  }
  // A node that stays computes all of its results itself.
  std::erase_if(plan.wanted, [&](model::TensorId id) { return plan.stays[at(view.producer(id))]; });
  std::ranges::sort(plan.wanted);
  return plan;
}

std::vector<model::NodeId> nodes_for(const model::GraphView& view, const std::vector<bool>& foldable,
                                     const std::vector<model::TensorId>& results,
                                     const std::vector<model::NodeId>& order) {
  const std::vector<bool> needed =
      model::needed_nodes(view, results, [&](model::TensorId id) { return !foldable[at(view.producer(id))]; });
  std::vector<model::NodeId> nodes;
  std::ranges::copy_if(order, std::back_inserter(nodes), [&](model::NodeId id) { return needed[at(id)]; });
  return nodes;
}

}  // namespace assay::surgeon
