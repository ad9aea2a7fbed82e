// Most failures are local: they need a node and a few of the nodes before it. So a set grows from the node at which the
// failure shows until it fails; then the last step is bisected. A set is as likely to have n to 2n nodes as 2n to 4n,
// so steps and bisections use the logarithm of the size. The number of checks grows with the logarithm of the number of
// nodes nearer than the culprits, not with the size of the model, and the candidates are small and fast.
//
// Against the edges, the distance of a node is the length of the longest path to it. Engines fuse regions without
// holes, in which several nodes read the same tensor; by the shortest path, the producer of that tensor would come
// before them.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/counted.h"
#include "reduce/search/named_nodes.h"
#include "reduce/search/phases/divide_range.h"
#include "reduce/search/phases/phase_rows.h"

namespace assay::reduce {
namespace {

constexpr double kGrowthFails = 0.35;  // the probability that the next step fails
constexpr double kNamedFails = 0.6;    // nodes that a message names are usually to blame
constexpr int kHintReach = 4;          // a message names nodes near the culprits, or misleads
// A message may name the last place where the failure shows, not the first: a larger set is better bisected from its
// beginning.
constexpr std::size_t kHintSize = 8;
// Two culprits far apart are usually two nodes, or each with a few before it.
constexpr int kEndsReach = 2;
constexpr double kEndsFail = 0.5;
constexpr double kMostNodes = 0.6;  // a node with this fraction of all nodes in its bodies is tried alone first
// A set that contains nearly everything adds no information.
constexpr double kNearlyAll = 0.8;
// A step goes to the golden section of the remaining range of the logarithm of the size, but multiplies the size by at
// least kSmallestStep and at most kLargestStep; one node is followed by two.
constexpr double kSmallestStep = 2;
constexpr double kLargestStep = 4;

// The nodes around some others, in layers of equal distance.
class Layers {
 public:
  // `of_node`: the layer of each node, from 0 on without gaps; -1: none. `direction`: in which distances are measured.
  Layers(std::vector<int> of_node, Direction direction) : of_node_(std::move(of_node)), direction_(direction) {
    size_.resize(static_cast<std::size_t>(std::ranges::max(of_node_) + 1), 0);
    for (const int layer : of_node_) {
      if (layer >= 0) ++size_[static_cast<std::size_t>(layer)];
    }
    std::partial_sum(size_.begin(), size_.end(), size_.begin());
    if (size_.empty()) return;
    std::vector<double> scale;
    for (const std::size_t size : size_) scale.push_back(std::log(static_cast<double>(size)));
    scale_ = std::make_shared<const std::vector<double>>(std::move(scale));
  }

  [[nodiscard]] Direction direction() const { return direction_; }
  [[nodiscard]] int farthest() const { return static_cast<int>(size_.size()) - 1; }
  // Returns the number of nodes up to that layer.
  [[nodiscard]] std::size_t size(int radius) const { return size_[static_cast<std::size_t>(radius)]; }
  [[nodiscard]] Nodes around(const Nodes& within, int radius) const {
    Nodes nodes;
    for (std::size_t i = 0; i < within.size(); ++i) {
      if (of_node_[i] >= 0 && of_node_[i] <= radius) nodes.push_back(within[i]);
    }
    return nodes;
  }
  // Returns the largest radius with at most that many nodes; -1 if even the smallest has more.
  [[nodiscard]] int radius(double nodes) const {
    const auto above = std::ranges::upper_bound(size_, static_cast<std::size_t>(nodes));
    return static_cast<int>(above - size_.begin()) - 1;
  }
  // Returns the logarithms of the sizes.
  [[nodiscard]] const DivideRange::Scale& scale() const { return scale_; }

 private:
  std::vector<int> of_node_;
  Direction direction_;
  std::vector<std::size_t> size_;
  DivideRange::Scale scale_;
};

class Growth : public CopyablePhase<Growth> {
 public:
  struct Limits {
    int reach = 0;                // the growth ends where a step would go farther
    std::size_t largest = 0;      // if a larger set fails, the last step isn't bisected
    double chance_to_fail = 0.5;  // of the set it starts from
    bool doubles = false;         // each step at least doubles the radius
  };
  // `directions` are tried one after the other.
  Growth(std::shared_ptr<const Nodes> within, std::vector<Layers> directions, Limits limits)
      : within_(std::move(within)),
        directions_(std::make_shared<const std::vector<Layers>>(std::move(directions))),
        limits_(limits) {
    settle();
  }

  std::optional<Try> next() override {
    const std::optional<int> at = radius();
    if (!at) return std::nullopt;
    Nodes nodes = layers().around(*within_, *at);
    std::string what = "a neighbourhood of " + base::counted(std::ssize(nodes), "node");
    const double growth_fails = *at == 0 ? limits_.chance_to_fail : kGrowthFails;
    return Try{.nodes = std::move(nodes),
               .what = std::move(what),
               .chance = dividing_ ? dividing_->chance(*at) : growth_fails};
  }

  void learn(Verdict::Kind kind) override {
    const std::optional<int> at = radius();
    if (!at) return;
    if (dividing_) {
      dividing_->learn(*at, kind);
    } else if (kind == Verdict::Kind::fails) {
      const bool is_large = layers().size(*at) > limits_.largest;
      dividing_.emplace(is_large ? *at - 1 : passed_, *at, layers().scale());
      is_tight_ = !is_large;
    } else {
      if (kind == Verdict::Kind::passes) most_passed_ = std::max(most_passed_, layers().size(*at));
      passed_ = *at;
      settle();
    }
  }

  void end(Found& found) const override {
    found.is_local = is_tight_;
    found.is_before = is_tight_ && layers().direction() == Direction::against;
  }

 private:
  [[nodiscard]] const Layers& layers() const { return (*directions_)[direction_]; }
  [[nodiscard]] std::optional<int> radius() const {
    if (dividing_) return dividing_->next();
    return direction_ < directions_->size() ? std::optional(radius_) : std::nullopt;
  }

  // Advances to the next radius that adds information, in the next direction if this one has none.
  void settle() {
    for (; direction_ < directions_->size(); ++direction_, passed_ = -1) {
      while (passed_ < layers().farthest() && layers().size(passed_ + 1) <= most_passed_) ++passed_;
      const int most = layers().radius(kNearlyAll * static_cast<double>(within_->size()));
      const int last = std::min(layers().farthest(), std::max(0, most));
      if (passed_ >= last) continue;
      const int least = std::min(last, limits_.doubles ? std::max(1, 2 * passed_) : passed_ + 1);
      radius_ = passed_ < 0 ? 0 : std::clamp(layers().radius(next_size()), least, last);
      if (radius_ <= limits_.reach) return;
    }
  }

  [[nodiscard]] double next_size() const {
    const auto passed = static_cast<double>(layers().size(passed_));
    if (passed == 1) return 2;
    const auto all = static_cast<double>(layers().size(layers().farthest()));
    return passed * std::clamp(std::pow(all / passed, kGoldenSection), kSmallestStep, kLargestStep);
  }

  std::shared_ptr<const Nodes> within_;
  std::shared_ptr<const std::vector<Layers>> directions_;
  Limits limits_;
  bool is_tight_ = false;  // a small failing set was found
  std::size_t direction_ = 0;
  int radius_ = 0;
  int passed_ = -1;  // the largest radius in this direction that didn't fail
  // The size of the largest set that passed, in any direction. Sets that are no larger are assumed to pass.
  std::size_t most_passed_ = 0;
  std::optional<DivideRange> dividing_;
};

bool is_read_within(const edit::Subject& subject, const Nodes& within, const Nodes& nodes) {
  const auto is_within = [&](edit::NodeId node) { return std::ranges::binary_search(within, node); };
  return std::ranges::any_of(nodes, [&](edit::NodeId node) {
    return std::ranges::any_of(subject.view().outputs(node), [&](edit::TensorId tensor) {
      return std::ranges::any_of(subject.view().consumers(tensor), is_within);
    });
  });
}

// Returns a phase that starts from the nodes in `found.around`, and grows against the edges.
std::unique_ptr<Phase> grow_against(const edit::Subject& subject, const Found& found, Growth::Limits limits) {
  std::vector<int> layers = distances(subject, *found.best, found.around, Direction::against);
  return std::make_unique<Growth>(found.best, std::vector{Layers(std::move(layers), Direction::against)}, limits);
}

}  // namespace

// Starts from the nodes that the check's output names.
std::unique_ptr<Phase> begin_hints(const edit::Subject& subject, Found& found) {
  const Nodes named = nodes_named_in(subject, found.text);
  Nodes seeds;
  std::ranges::set_intersection(named, *found.best, std::back_inserter(seeds));
  if (seeds.empty() || found.best->size() < 2) return nullptr;
  found.around = seeds;
  return grow_against(subject, found,
                      {.reach = kHintReach, .largest = kHintSize, .chance_to_fail = kNamedFails, .doubles = true});
}

// Tries the node whose bodies contain most of all nodes alone, if there is one.
std::unique_ptr<Phase> begin_heaviest(const edit::Subject& subject, Found& found) {
  if (found.is_local || found.best->size() < 2) return nullptr;
  const std::vector<std::int64_t> counts = node_counts(subject, *found.best);
  const auto heaviest = std::ranges::max_element(counts);
  const auto share = static_cast<double>(*heaviest) / std::accumulate(counts.begin(), counts.end(), 0.0);
  if (*heaviest == 1 || share < kMostNodes) return nullptr;
  found.around = {(*found.best)[static_cast<std::size_t>(heaviest - counts.begin())]};
  return grow_against(subject, found, {.reach = 0, .largest = 1, .chance_to_fail = share});
}

// Starts from the node at which the failure becomes visible.
std::unique_ptr<Phase> begin_neighbourhood(const edit::Subject& subject, Found& found) {
  if (found.is_local || found.best->size() < 2 || found.around.empty()) return nullptr;
  const Nodes& within = *found.best;
  std::vector<Layers> directions{Layers(depths(subject, within, found.around), Direction::against),
                                 Layers(distances(subject, within, found.around, Direction::any), Direction::any)};
  // If a node of the set reads these, the file isn't in topological order. Then readers are as near as producers, so
  // distances in any direction come first.
  if (is_read_within(subject, within, found.around)) std::ranges::reverse(directions);
  const int reach = static_cast<int>(within.size());
  return std::make_unique<Growth>(
      found.best, std::move(directions),
      Growth::Limits{.reach = reach, .largest = within.size(), .chance_to_fail = kGrowthFails});
}

// Starts from the first and the last of the nodes that remain after a bisection from both ends.
std::unique_ptr<Phase> begin_ends(const edit::Subject& subject, Found& found) {
  if (found.is_local || found.around.size() != 2 || found.best->size() < 4) return nullptr;
  return grow_against(subject, found,
                      {.reach = kEndsReach, .largest = found.best->size(), .chance_to_fail = kEndsFail});
}

}  // namespace assay::reduce
