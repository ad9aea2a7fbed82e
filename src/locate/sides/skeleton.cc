#include "locate/sides/skeleton.h"

#include <algorithm>

#include "base/at.h"
#include "edit/non_tensors.h"
#include "model/dependencies.h"

namespace assay::locate {
namespace {

using base::at;
using model::kNone;
using model::NodeId;
using model::TensorId;

class Maker {
 public:
  Maker(const model::GraphView& view, const SkeletonOptions& options)
      : view_(view),
        options_(options),
        others_(edit::non_tensors(view.graph())),
        needed_(model::needed_nodes(view)),
        cell_of_(at(view.tensor_count()), -1) {}

  base::Expected<Skeleton> make() {
    ASSAY_ASSIGN(const std::vector<NodeId> order, model::topological_order(view_));
    for (const NodeId node : order) {
      if (needed_[at(node)] && view_.node(node).op_type() != "Constant") add(node);
    }
    for (const auto& output : view_.graph().output()) {
      if (skeleton_.cell_of.contains(output.name())) skeleton_.outputs.push_back(output.name());
    }
    skeleton_.needed = std::move(needed_);
    return std::move(skeleton_);
  }

 private:
  void add(NodeId node) {
    const auto cell = static_cast<CellId>(skeleton_.size());
    std::vector<std::string> results;
    for (const TensorId output : view_.outputs(node)) {
      const std::string_view name = view_.name(output);
      if (!is_read(output) || others_.contains(name)) continue;
      if (!options_.other_has(name)) {
        skeleton_.missing.emplace_back(name);
        continue;
      }
      results.emplace_back(name);
    }
    if (results.empty()) return;
    std::vector<CellId> parents = parents_of(node);
    for (const std::string& name : results) {
      skeleton_.cell_of[name] = cell;
      cell_of_[at(view_.find(name))] = cell;
    }
    skeleton_.nodes.push_back(node);
    skeleton_.results.push_back(std::move(results));
    skeleton_.graph.parents.push_back(std::move(parents));
    skeleton_.graph.bytes.push_back(0);
  }

  [[nodiscard]] bool is_read(TensorId id) const {
    return view_.is_graph_output(id) ||
           std::ranges::any_of(view_.consumers(id), [&](NodeId consumer) { return needed_[at(consumer)]; });
  }

  // Follows nodes without a cell of their own back to results of cells.
  [[nodiscard]] std::vector<CellId> parents_of(NodeId node) const {
    std::vector<CellId> parents;
    std::vector<bool> seen;
    std::vector<NodeId> pending = {node};
    while (!pending.empty()) {
      const NodeId current = pending.back();
      pending.pop_back();
      for (const TensorId input : view_.inputs(current)) {
        const NodeId producer = view_.producer(input);
        if (const CellId cell = cell_of_[at(input)]; cell >= 0) {
          parents.push_back(cell);
        } else if (producer != kNone) {
          if (seen.empty()) seen.resize(at(view_.node_count()), false);
          if (seen[at(producer)]) continue;
          seen[at(producer)] = true;
          pending.push_back(producer);
        }
      }
    }
    std::ranges::sort(parents);
    const auto repeated = std::ranges::unique(parents);
    parents.erase(repeated.begin(), repeated.end());
    return parents;
  }

  const model::GraphView& view_;
  const SkeletonOptions& options_;
  std::unordered_set<std::string_view> others_;
  std::vector<bool> needed_;
  std::vector<CellId> cell_of_;  // by tensor; -1 if none
  Skeleton skeleton_;
};

}  // namespace

base::Expected<Skeleton> make_skeleton(const model::GraphView& view, const SkeletonOptions& options) {
  return Maker(view, options).make();
}

}  // namespace assay::locate
