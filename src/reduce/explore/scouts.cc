// Each verdict narrows down where the culprits are: a failing set must contain all culprits, so the suspects are
// intersected with it; a passing set lacks a culprit, so the suspects outside of it form a group that contains one. A
// round splits the groups, and the suspects in none, into parts, and proposes for each part the smallest failing set
// without it. Predictions assume one culprit per group, evenly distributed; their trust falls with each wrong one.
#include "reduce/explore/scouts.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace assay::reduce {
namespace {

constexpr double kSure = 0.98;        // the highest trust in a prediction
constexpr double kHalf = 0.5;         // the probability that suspects outside of all groups include a culprit
constexpr double kTrustAtFirst = 16;  // as if this many predictions had been right

Nodes common(const Nodes& first, const Nodes& second) {
  Nodes result;
  std::ranges::set_intersection(first, second, std::back_inserter(result));
  return result;
}

bool overlap(const Nodes& first, const Nodes& second) {
  for (auto a = first.begin(), b = second.begin(); a != first.end() && b != second.end();) {
    if (*a == *b) return true;
    ++(*a < *b ? a : b);
  }
  return false;
}

bool holds(const Nodes& all, const Nodes& some) {
  return std::ranges::includes(all, some);
}

std::size_t count_common(const Nodes& first, const Nodes& second) {
  std::size_t count = 0;
  for (auto a = first.begin(), b = second.begin(); a != first.end() && b != second.end();) {
    if (*a == *b) {
      ++count, ++a, ++b;
    } else {
      ++(*a < *b ? a : b);
    }
  }
  return count;
}

double fraction(std::size_t part, std::size_t all) {
  return static_cast<double>(part) / static_cast<double>(all);
}

}  // namespace

Scouts::Scouts(Nodes nodes, std::size_t parts) : parts_(parts), base_(nodes), suspects_(std::move(nodes)) {}

void Scouts::learn(const Nodes& kept, Verdict::Kind kind) {
  if (gave_up_) return;
  if (const std::optional<double> chance = predict(kept); chance && kind != Verdict::Kind::unresolved) {
    const bool fails = kind == Verdict::Kind::fails;
    predictions_ += 1;
    surprises_ += (fails == (*chance > kHalf) ? 0 : 1) - std::min(*chance, 1 - *chance);
  }
  if (kind == Verdict::Kind::fails) {
    suspects_ = common(suspects_, kept);
    for (Nodes& group : groups_) group = common(group, suspects_);
    if (kept.size() < base_.size()) base_ = kept;
  } else if (kind == Verdict::Kind::passes) {
    add_group(minus(suspects_, kept));
  }
  gave_up_ = std::ranges::any_of(groups_, &Nodes::empty);
  end_parts(kept);
}

// Keeps the groups disjoint: of two that overlap, the smaller one says more.
void Scouts::add_group(Nodes group) {
  if (std::ranges::any_of(groups_, [&](const Nodes& other) {
        return overlap(other, group) && (other.size() < group.size() || holds(group, other));
      })) {
    return;
  }
  std::erase_if(groups_, [&](const Nodes& other) { return overlap(other, group); });
  groups_.push_back(std::move(group));
}

// A part is finished once its nodes are cleared, are known to include a culprit, or its candidate was judged.
void Scouts::end_parts(const Nodes& kept) {
  std::erase_if(round_, [&](const Part& part) {
    return !overlap(part.removed, suspects_) || part.kept == kept ||
           std::ranges::any_of(groups_, [&](const Nodes& group) { return holds(part.removed, group); });
  });
}

std::optional<double> Scouts::predict(const Nodes& kept) const {
  if (gave_up_ || groups_.empty()) return std::nullopt;
  double chance = 1;
  std::size_t grouped = 0;
  std::size_t grouped_kept = 0;
  for (const Nodes& group : groups_) {
    const std::size_t left = count_common(group, kept);
    chance *= fraction(left, group.size());
    grouped += group.size();
    grouped_kept += left;
  }
  if (grouped < suspects_.size()) {
    const std::size_t free = suspects_.size() - grouped;
    const std::size_t free_kept = count_common(suspects_, kept) - grouped_kept;
    chance *= 1 - kHalf * fraction(free - free_kept, free);
  }
  return chance;
}

std::optional<double> Scouts::chance_to_fail(const Nodes& kept) const {
  const std::optional<double> chance = predict(kept);
  if (!chance) return std::nullopt;
  const double trust = std::min(kSure, 1 - std::max(0.0, surprises_) / (kTrustAtFirst + predictions_));
  return trust * *chance + (1 - trust) * (1 - *chance);
}

std::vector<Nodes> Scouts::wanted() {
  if (round_.empty()) begin_round();
  std::vector<Nodes> sets;
  for (const Part& part : round_) sets.push_back(part.kept);
  return sets;
}

// Splits the groups, and the suspects in no group.
void Scouts::begin_round() {
  if (gave_up_ || parts_ == 0) return;
  // A round that changed nothing, since its verdicts were unresolved, would repeat for ever.
  std::vector<Nodes> known = groups_;
  known.push_back(suspects_);
  if (known == known_before_round_) {
    parts_ = 0;
    return;
  }
  known_before_round_ = std::move(known);
  Nodes free = suspects_;
  for (const Nodes& group : groups_) free = minus(free, group);
  // One part of each group needn't be tried: if all others are cleared, it contains the culprit.
  struct Set {
    Nodes nodes;
    std::size_t untried;
  };
  std::vector<Set> sets;
  if (!free.empty()) sets.push_back({std::move(free), 0});
  for (const Nodes& group : groups_) {
    if (group.size() > 1) sets.push_back({group, 1});
  }
  if (sets.size() > parts_) sets.resize(parts_);
  for (const auto& [nodes, untried] : sets) {
    const std::size_t tried = std::min(nodes.size() - untried, std::max<std::size_t>(1, parts_ / sets.size()));
    const std::size_t count = tried + untried;
    for (std::size_t i = 0; i < tried; ++i) {
      const auto begin = nodes.begin() + static_cast<std::ptrdiff_t>(nodes.size() * i / count);
      const auto end = nodes.begin() + static_cast<std::ptrdiff_t>(nodes.size() * (i + 1) / count);
      Part part{.removed = Nodes(begin, end), .kept = {}};
      part.kept = minus(base_, part.removed);
      if (!part.kept.empty()) round_.push_back(std::move(part));
    }
  }
}

}  // namespace assay::reduce
