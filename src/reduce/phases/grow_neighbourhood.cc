// Most failures are local: a node, with a few of those before it. So sets grow from where the failure shows, in
// doubling steps, until one fails; then the step between the last two is halved. That costs checks by the logarithm of
// how far the culprits are, not of how large the model is, and the candidates are small and quick.
#include "reduce/phases/grow_neighbourhood.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/counted.h"
#include "reduce/names_in_model.h"
#include "reduce/phases/divide_range.h"

namespace assay::reduce {
namespace {

constexpr double kGrowthFails = 0.35;  // at the next step
constexpr int kHintReach = 4;          // a message names nodes near the culprits, or misleads
// What is named may be where the failure was seen at last, not first: a larger set is better halved from its beginning.
constexpr std::size_t kHintSize = 8;
// A set that holds nearly everything says no more than what is known.
constexpr double kNearlyAll = 0.8;

class Growth : public CopyablePhase<Growth> {
 public:
  // `layers`: for each direction that is tried, the distance of each node.
  // `largest`: sets above are not made tighter by halving the last step.
  Growth(std::shared_ptr<const Nodes> within, std::vector<std::vector<int>> layers, int reach, std::size_t largest)
      : within_(std::move(within)),
        layers_(std::make_shared<const std::vector<std::vector<int>>>(std::move(layers))),
        reach_(reach),
        largest_(largest) {
    settle();
  }

  std::optional<Try> next() override {
    const std::optional<int> at = radius();
    if (!at) return std::nullopt;
    Nodes nodes = around(*at);
    std::string what = base::counted(std::ssize(nodes), "node") + " around";
    return Try{.nodes = std::move(nodes),
               .what = std::move(what),
               .chance = dividing_ ? dividing_->chance(*at) : kGrowthFails};
  }

  void learn(Verdict::Kind kind) override {
    const std::optional<int> at = radius();
    if (!at) return;
    if (dividing_) {
      dividing_->learn(*at, kind);
      skip_equal();
    } else if (kind == Verdict::Kind::fails) {
      const bool is_large = count(*at) > largest_;
      dividing_.emplace(is_large ? *at - 1 : passed_, *at);
      is_tight_ = !is_large;
      skip_equal();
    } else {
      if (kind == Verdict::Kind::passes) most_passed_ = std::max(most_passed_, count(*at));
      passed_ = *at;
      radius_ = *at == 0 ? 1 : *at * 2;
      settle();
    }
  }

  // A small set was found, in which most nodes will be needed.
  [[nodiscard]] bool is_tight() const { return is_tight_; }

 private:
  [[nodiscard]] std::optional<int> radius() const {
    if (dividing_) return dividing_->next();
    return direction_ < layers_->size() ? std::optional(radius_) : std::nullopt;
  }
  [[nodiscard]] const std::vector<int>& layer() const { return (*layers_)[direction_]; }
  [[nodiscard]] std::size_t count(int radius) const {
    return static_cast<std::size_t>(std::ranges::count_if(layer(), [&](int d) { return d >= 0 && d <= radius; }));
  }
  [[nodiscard]] Nodes around(int radius) const {
    Nodes nodes;
    for (std::size_t i = 0; i < within_->size(); ++i) {
      if (layer()[i] >= 0 && layer()[i] <= radius) nodes.push_back((*within_)[i]);
    }
    return nodes;
  }

  // Goes on to a radius that says something new, in the next direction where this one has no more.
  void settle() {
    for (; direction_ < layers_->size(); ++direction_, radius_ = 1, passed_ = 0) {
      const int farthest = std::ranges::max(layer());
      while (radius_ < farthest && count(radius_) <= most_passed_) passed_ = std::exchange(radius_, radius_ * 2);
      if (passed_ >= farthest) continue;
      radius_ = std::min(radius_, farthest);
      if (radius_ > reach_ || count(radius_) <= most_passed_) continue;
      if (static_cast<double>(count(radius_)) > kNearlyAll * static_cast<double>(within_->size()) && radius_ > 0)
        continue;
      return;
    }
  }

  // Radii at which no node is added need no check.
  void skip_equal() {
    while (const auto at = dividing_->next()) {
      if (count(*at) == count(dividing_->fails_at())) {
        dividing_->learn(*at, Verdict::Kind::fails);
      } else if (count(*at) == count(passed_)) {
        dividing_->learn(*at, Verdict::Kind::passes);
      } else {
        return;
      }
    }
  }

  std::shared_ptr<const Nodes> within_;
  std::shared_ptr<const std::vector<std::vector<int>>> layers_;
  int reach_;
  std::size_t largest_;
  bool is_tight_ = false;
  std::size_t direction_ = 0;
  int radius_ = 0;
  int passed_ = -1;  // the largest radius of this direction that did not fail
  // Nodes of the largest set that passed, in whatever direction: one that is no larger is taken to pass.
  std::size_t most_passed_ = 0;
  std::optional<DivideRange> dividing_;
};

}  // namespace

std::unique_ptr<Phase> begin_hints(const edit::Subject& subject, Found& found) {
  const Nodes named = nodes_named_in(subject, found.text);
  Nodes seeds;
  std::ranges::set_intersection(named, *found.best, std::back_inserter(seeds));
  if (seeds.empty() || found.best->size() < 2) return nullptr;
  found.around = seeds;
  return std::make_unique<Growth>(
      found.best, std::vector<std::vector<int>>{distances(subject, *found.best, seeds, Direction::against)}, kHintReach,
      kHintSize);
}

std::unique_ptr<Phase> begin_neighbourhood(const edit::Subject& subject, Found& found) {
  if (found.is_local || found.best->size() < 2 || found.around.empty()) return nullptr;
  return std::make_unique<Growth>(found.best,
                                  std::vector{distances(subject, *found.best, found.around, Direction::against),
                                              distances(subject, *found.best, found.around, Direction::any)},
                                  static_cast<int>(found.best->size()), found.best->size());
}

void end_growth(const Phase& phase, Found& found) {
  found.is_local = static_cast<const Growth&>(phase).is_tight();
}

}  // namespace assay::reduce
