// Tarjan's algorithm for strongly connected components, without recursion: a graph can be deeper than the stack.
#include "lint/find_cycles.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/at.h"

namespace assay::lint {
namespace {

using base::at;
using model::kNone;
using model::NodeId;

class CycleSearch {
 public:
  explicit CycleSearch(const model::GraphView& view)
      : view_(view), index_(at(view.node_count()), kNone), low_(at(view.node_count())), open_(at(view.node_count())) {}

  std::vector<std::vector<NodeId>> run() {
    for (NodeId root = 0; root < view_.node_count(); ++root) {
      if (index_[at(root)] == kNone) visit(root);
    }
    std::ranges::sort(cycles_);
    return std::move(cycles_);
  }

 private:
  struct Step {
    NodeId node;
    std::size_t next;  // input to look at
  };

  // Visits all nodes on which the root depends.
  void visit(NodeId root) {
    enter(root);
    while (!path_.empty()) {
      const NodeId id = path_.back().node;
      const auto inputs = view_.inputs(id);
      if (path_.back().next < inputs.size()) {
        follow(id, view_.producer(inputs[path_.back().next++]));
        continue;
      }
      path_.pop_back();
      if (!path_.empty()) lower(path_.back().node, low_[at(id)]);
      if (low_[at(id)] == index_[at(id)]) close_component(id);
    }
  }

  void enter(NodeId id) {
    index_[at(id)] = low_[at(id)] = counter_++;
    open_[at(id)] = true;
    stack_.push_back(id);
    path_.push_back({id, 0});
  }

  void follow(NodeId id, NodeId from) {
    if (from == kNone) return;
    if (index_[at(from)] == kNone) {
      enter(from);
    } else if (open_[at(from)]) {
      lower(id, index_[at(from)]);
    }
  }

  void lower(NodeId id, int index) { low_[at(id)] = std::min(low_[at(id)], index); }

  // Takes the component of `root` off the stack. It is a cycle unless it is a single node that doesn't read itself.
  void close_component(NodeId root) {
    std::vector<NodeId> component;
    do {
      component.push_back(stack_.back());
      open_[at(stack_.back())] = false;
      stack_.pop_back();
    } while (component.back() != root);
    const auto reads_itself = [&](model::TensorId input) { return view_.producer(input) == root; };
    if (component.size() == 1 && std::ranges::none_of(view_.inputs(root), reads_itself)) return;
    std::ranges::sort(component);
    cycles_.push_back(std::move(component));
  }

  const model::GraphView& view_;
  std::vector<int> index_;  // by node: the order of visits, or kNone
  std::vector<int> low_;    // by node: the least index that it is known to reach
  std::vector<bool> open_;  // by node: on the stack
  std::vector<NodeId> stack_;
  std::vector<Step> path_;
  std::vector<std::vector<NodeId>> cycles_;
  int counter_ = 0;
};

}  // namespace

std::vector<std::vector<NodeId>> find_cycles(const model::GraphView& view) {
  return CycleSearch(view).run();
}

}  // namespace assay::lint
