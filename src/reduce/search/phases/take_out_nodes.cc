// Delta debugging over the nodes that the earlier phases have found. Those phases supply the prior probabilities, and
// the order puts nodes that are far from the failure first, as these are the likeliest to be removable. The result is
// 1-minimal.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "base/at.h"
#include "reduce/passes/path_waists.h"
#include "reduce/search/delta_debugging.h"
#include "reduce/search/phases/phase_rows.h"

namespace assay::reduce {
namespace {

using base::at;

// Prior for the node at which the failure shows, for nodes needed before, and for those on every path.
constexpr double kVisible = 0.95;
constexpr double kSmallSet = 16;
constexpr double kManyAlike = 48;  // nodes of one operator; if there are more, few of them are probably needed
constexpr double kMostNeeded = 0.6;
constexpr double kFewNeeded = 3;  // expected in a set that wasn't found by growing, whatever its size

class TakeOut : public CopyablePhase<TakeOut> {
 public:
  // `elements`: the nodes, in an order that keeps neighbours together.
  TakeOut(const edit::Subject& subject, Nodes elements, std::vector<double> needed)
      : subject_(&subject), order_(std::make_shared<const Order>(std::move(elements))), search_(std::move(needed)) {}

  std::optional<Try> next() override {
    const std::vector<int>& out = search_.next();
    if (out.empty()) return std::nullopt;
    const std::vector<bool> removed = search_.removed_in_trial();
    Nodes nodes;
    for (std::size_t i = 0; i < removed.size(); ++i) {
      if (!removed[i]) nodes.push_back(order_->nodes[i]);
    }
    std::ranges::sort(nodes);
    return Try{.nodes = std::move(nodes), .what = "without " + describe(out), .chance = search_.chance()};
  }
  void learn(Verdict::Kind kind) override {
    const std::vector<int> out = search_.next();
    if (out.empty()) return;
    const bool is_one_by_one = out.size() == 1 || search_.is_run();
    search_.learn(kind == Verdict::Kind::fails);
    if (kind != Verdict::Kind::fails || !is_one_by_one) return;
    for (const int element : out) search_.prefer(neighbours(node(element)));
  }

 private:
  struct Order {
    explicit Order(Nodes in_order) : nodes(std::move(in_order)) {
      elements.reserve(nodes.size());
      for (std::size_t i = 0; i < nodes.size(); ++i) elements.emplace(nodes[i], static_cast<int>(i));
    }
    Nodes nodes;                                     // by element
    std::unordered_map<edit::NodeId, int> elements;  // by node
  };

  [[nodiscard]] edit::NodeId node(int element) const { return order_->nodes[at(element)]; }
  // Returns the producers and the readers of a removed node: with it gone, they may have become removable.
  [[nodiscard]] std::vector<int> neighbours(edit::NodeId gone) const {
    const model::GraphView& view = subject_->view();
    std::vector<int> result;
    const auto add = [&](edit::NodeId id) {
      const auto at = id == edit::kNone ? order_->elements.end() : order_->elements.find(id);
      if (at != order_->elements.end()) result.push_back(at->second);
    };
    for (const edit::TensorId input : view.inputs(gone)) add(view.producer(input));
    for (const edit::TensorId output : view.outputs(gone)) std::ranges::for_each(view.consumers(output), add);
    return result;
  }
  [[nodiscard]] std::string describe(const std::vector<int>& out) const {
    if (out.size() > 1) return fmt::format("{} of the nodes", out.size());
    return model::describe_node(subject_->view().node(node(out.front())), node(out.front()));
  }

  const edit::Subject* subject_;
  std::shared_ptr<const Order> order_;
  DeltaDebugging search_;
};

// Orders the nodes by distance from the failure, the farthest first.
Nodes by_distance(const edit::Subject& subject, const Found& found) {
  Nodes nodes = *found.best;
  if (found.around.empty()) return nodes;
  const std::vector<int> distance = distances(subject, nodes, found.around, Direction::any);
  std::vector<std::size_t> order(nodes.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) {
    return distance[i] < 0 ? std::numeric_limits<int>::max() : distance[i];
  });
  Nodes result;
  result.reserve(nodes.size());
  for (const std::size_t i : order) result.push_back(nodes[i]);
  return result;
}

// Growth has shown that some of the farthest nodes are needed. So is each node through which all paths from them to the
// failure pass: without it, nothing that they compute would reach the failure, and it couldn't be bypassed. Returns
// these nodes, ascending.
Nodes on_every_path(const edit::Subject& subject, const Found& found) {
  const Nodes& nodes = *found.best;
  const std::vector<int> depth = depths(subject, nodes, found.around);
  const int farthest = std::ranges::max(depth);
  Paths paths{.from = {}, .to = found.around.front()};
  paths.within.resize(at(subject.view().node_count()), false);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    paths.within[at(nodes[i])] = true;
    if (depth[i] == farthest) paths.from.push_back(nodes[i]);
  }
  Nodes result;
  for (const Waist& waist : path_waists(subject.view(), paths)) result.push_back(waist.nodes.back());
  std::ranges::sort(result);
  return result;
}

}  // namespace

std::unique_ptr<Phase> begin_take_out(const edit::Subject& subject, Found& found) {
  const auto count = static_cast<double>(found.best->size());
  if (count < 2) return nullptr;
  // About sqrt(n) nodes of a grown neighbourhood of n nodes are needed, or most of them if it is small and lies before
  // the failure. If most of them are, single nodes are tried, which the end requires anyway. The same goes for nodes of
  // one operator that fail without all others.
  const bool most = (found.is_before && count <= kSmallSet) || (found.is_alike && count <= kManyAlike);
  const double some = found.is_local ? 1 / std::sqrt(count) : std::min(0.3, kFewNeeded / count);
  const double prior = most ? kMostNeeded : some;
  const bool visible = found.around.size() <= 2;  // more nodes come from a message
  const bool is_path = found.is_before && found.is_bypassed && !most && found.around.size() == 1;
  const Nodes connecting = is_path ? on_every_path(subject, found) : Nodes();
  Nodes elements = by_distance(subject, found);
  std::vector<double> needed;
  needed.reserve(elements.size());
  for (const edit::NodeId node : elements) {
    const bool shows = visible && std::ranges::find(found.around, node) != found.around.end();
    const bool is_needed =
        std::ranges::binary_search(found.needed, node) || std::ranges::binary_search(connecting, node);
    needed.push_back(shows || is_needed ? kVisible : prior);
  }
  return std::make_unique<TakeOut>(subject, std::move(elements), std::move(needed));
}

}  // namespace assay::reduce
