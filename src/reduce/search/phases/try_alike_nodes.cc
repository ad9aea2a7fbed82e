// Some failures need no path between nodes, but many nodes of one operator: an engine has room for ten of them, for
// example. Neither a bisection nor a growing set finds these among all others. So this phase uses delta debugging over
// operators, and begins with the nodes that have the operator of the node at which the failure becomes visible. Few
// failures are like that, so it ends after a few tries in vain.
#include <algorithm>
#include <bit>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/counted.h"
#include "model/onnx_facts.h"
#include "reduce/search/delta_debugging.h"
#include "reduce/search/phases/phase_rows.h"

namespace assay::reduce {
namespace {

constexpr double kVisible = 0.95;  // prior for the operator of the node at which the failure shows
constexpr double kOther = 0.3;

class Alike : public CopyablePhase<Alike> {
 public:
  // `kinds`: the nodes of each operator. The last one is that of the node at which the failure shows.
  explicit Alike(std::vector<Nodes> kinds)
      : search_(priors(kinds.size())), left_(static_cast<int>(std::bit_width(kinds.size()))) {
    kinds_ = std::make_shared<const std::vector<Nodes>>(std::move(kinds));
    search_.all_first();
  }

  std::optional<Try> next() override {
    if (search_.next().empty() || left_ == 0) return std::nullopt;
    const std::vector<bool> removed = search_.removed_in_trial();
    Nodes nodes;
    for (std::size_t kind = 0; kind < removed.size(); ++kind) {
      const Nodes& alike = (*kinds_)[kind];
      if (!removed[kind]) nodes.insert(nodes.end(), alike.begin(), alike.end());
    }
    const auto kinds = std::ranges::count(removed, false);
    std::ranges::sort(nodes);
    return Try{.nodes = std::move(nodes),
               .what = "only the nodes of " + base::counted(kinds, "operator"),
               .chance = search_.chance()};
  }
  void learn(Verdict::Kind kind) override {
    if (search_.next().empty()) return;
    const bool fails = kind == Verdict::Kind::fails;
    search_.learn(fails);
    if (!fails) --left_;
  }

  void end(Found& found) const override { found.is_alike = search_.remaining().size() == 1; }

 private:
  static std::vector<double> priors(std::size_t kinds) {
    std::vector<double> needed(kinds, kOther);
    needed.back() = kVisible;
    return needed;
  }

  std::shared_ptr<const std::vector<Nodes>> kinds_;
  DeltaDebugging search_;
  int left_;  // tries in vain until the phase ends
};

}  // namespace

std::unique_ptr<Phase> begin_alike(const edit::Subject& subject, Found& found) {
  if (found.is_local || found.best->size() <= kFewNodes || found.around.size() != 1) return nullptr;
  std::map<std::pair<std::string, std::string>, Nodes> by_operator;
  for (const edit::NodeId id : *found.best) {
    const onnx::NodeProto& node = subject.view().node(id);
    by_operator[{model::domain_key(node.domain()), node.op_type()}].push_back(id);
  }
  if (by_operator.size() < 2) return nullptr;
  std::vector<Nodes> kinds;
  for (auto& [name, nodes] : by_operator) kinds.push_back(std::move(nodes));
  const auto shows = std::ranges::find_if(
      kinds, [&](const Nodes& nodes) { return std::ranges::binary_search(nodes, found.around.front()); });
  if (shows == kinds.end()) return nullptr;
  std::iter_swap(shows, std::prev(kinds.end()));
  return std::make_unique<Alike>(std::move(kinds));
}

}  // namespace assay::reduce
