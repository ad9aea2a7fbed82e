#include "tune/search.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <utility>

namespace assay::tune {
namespace {

// Returns whether `one` is faster by more than noise: the middle halves of both models' runs don't overlap.
bool is_faster(const run::TimingSummary& one, const run::TimingSummary& other) {
  return one.upper_quartile < other.lower_quartile;
}

class Search {
 public:
  Search(std::size_t count, const SearchOptions& options, const Measure& measure, Findings& found)
      : count_(count), options_(options), measure_(measure), found_(found) {}

  base::Status run() {
    if (count_ == 0) {
      found_.outcome = Outcome::no_replacements;
      return {};
    }
    ASSAY_TRY(time({}));
    ASSAY_TRY(options_.mode == SearchOptions::Mode::greedy ? climb() : try_all());
    found_.best = choose();
    if (found_.best.empty()) {
      found_.outcome = Outcome::none_faster;
      return {};
    }
    return confirm();
  }

 private:
  base::Status climb();
  base::Status try_all();
  base::Status try_each(const std::vector<Combination>& combinations);
  [[nodiscard]] std::vector<Combination> extended(const std::vector<Combination>& combinations) const;
  [[nodiscard]] Combination choose() const;
  base::Status confirm();

  // Returns the number of the combination's trial, or nothing if it can't be tried: it overlaps like a part of it that
  // was tried, or there were enough combinations.
  base::Expected<std::optional<std::size_t>> time(const Combination& combination);
  [[nodiscard]] bool contains_overlap(const Combination& combination) const;
  // The first trial is that of the model as it is, which isn't counted.
  [[nodiscard]] bool tried_enough() const { return found_.trials.size() > options_.max_combinations; }
  [[nodiscard]] bool is_faster_trial(std::size_t one, std::size_t other) const;

  std::size_t count_;
  const SearchOptions& options_;
  const Measure& measure_;
  Findings& found_;
  std::map<Combination, std::size_t> known_;  // numbers of trials
  std::vector<Combination> overlaps_;
};

Combination toggled(const Combination& combination, std::size_t number) {
  Combination changed = combination;
  const auto at = std::ranges::lower_bound(changed, number);
  if (at != changed.end() && *at == number) {
    changed.erase(at);
  } else {
    changed.insert(at, number);
  }
  return changed;
}

bool Search::contains_overlap(const Combination& combination) const {
  return std::ranges::any_of(overlaps_,
                             [&](const Combination& overlap) { return std::ranges::includes(combination, overlap); });
}

base::Expected<std::optional<std::size_t>> Search::time(const Combination& combination) {
  if (const auto at = known_.find(combination); at != known_.end()) return std::optional(at->second);
  if (contains_overlap(combination)) return std::optional<std::size_t>();
  if (tried_enough()) {
    found_.complete = false;
    return std::optional<std::size_t>();
  }
  ASSAY_ASSIGN(Trial trial, measure_(combination));
  if (trial.outcome == Trial::Outcome::overlaps) overlaps_.push_back(combination);
  found_.trials.push_back(std::move(trial));
  known_[combination] = found_.trials.size() - 1;
  return std::optional(found_.trials.size() - 1);
}

bool Search::is_faster_trial(std::size_t one, std::size_t other) const {
  const Trial& trial = found_.trials[one];
  return trial.outcome == Trial::Outcome::timed && is_faster(trial.times, found_.trials[other].times);
}

// Each change that is kept makes the median smaller, so this ends. A pass without a change means that no single
// replacement, made or undone, makes the model faster. A replacement that fails isn't tried again with others: it would
// most likely fail again, perhaps after minutes.
base::Status Search::climb() {
  std::size_t current = 0;
  std::set<std::size_t> failing;
  bool changed = true;
  while (changed && found_.complete) {
    changed = false;
    for (std::size_t i = 0; i < count_ && found_.complete; ++i) {
      if (failing.contains(i)) continue;
      ASSAY_ASSIGN(const auto next, time(toggled(found_.trials[current].replacements, i)));
      if (next && found_.trials[*next].outcome == Trial::Outcome::fails) failing.insert(i);
      if (!next || !is_faster_trial(*next, current)) continue;
      current = *next;
      changed = true;
    }
  }
  return {};
}

base::Status Search::try_each(const std::vector<Combination>& combinations) {
  for (const Combination& combination : combinations) {
    if (found_.complete) ASSAY_TRY(time(combination));
  }
  return {};
}

// The first combinations say most if there is no time for all of them. The others are made from smaller ones that don't
// overlap, so that many overlaps don't leave the search with nothing but combinations to skip.
base::Status Search::try_all() {
  Combination all(count_);
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<Combination> level = extended({{}});
  ASSAY_TRY(try_each(level));
  ASSAY_TRY(try_each({all}));
  for (std::size_t i = 0; i < count_ && found_.complete; ++i) ASSAY_TRY(try_each({toggled(all, i)}));
  while (!level.empty() && found_.complete) {
    level = extended(level);
    ASSAY_TRY(try_each(level));
  }
  return {};
}

// Returns these combinations with each higher number added, without those that overlap, and no more than may be tried.
std::vector<Combination> Search::extended(const std::vector<Combination>& combinations) const {
  std::vector<Combination> longer;
  for (const Combination& combination : combinations) {
    for (std::size_t i = combination.empty() ? 0 : combination.back() + 1; i < count_; ++i) {
      if (longer.size() > options_.max_combinations) return longer;
      Combination next = combination;
      next.push_back(i);
      if (!contains_overlap(next)) longer.push_back(std::move(next));
    }
  }
  return longer;
}

// Replacements that bring nothing stay out: of the combinations that aren't slower than the fastest, takes the one with
// the fewest.
Combination Search::choose() const {
  std::vector<const Trial*> timed;
  for (const Trial& trial : found_.trials) {
    if (trial.outcome == Trial::Outcome::timed) timed.push_back(&trial);
  }
  const Trial& fastest = **std::ranges::min_element(timed, {}, [](const Trial* trial) { return trial->times.median; });
  std::erase_if(timed, [&](const Trial* trial) { return is_faster(fastest.times, trial->times); });
  const auto least = std::ranges::min_element(
      timed, {}, [](const Trial* trial) { return std::pair(trial->replacements.size(), trial->times.median); });
  return (*least)->replacements;
}

base::Status Search::confirm() {
  ASSAY_ASSIGN(found_.confirmed_before, measure_({}));
  ASSAY_ASSIGN(found_.confirmed_after, measure_(found_.best));
  if (found_.confirmed_after->outcome != Trial::Outcome::timed ||
      !is_faster(found_.confirmed_after->times, found_.confirmed_before->times)) {
    found_.outcome = Outcome::not_confirmed;
  } else {
    found_.outcome = found_.gain() < options_.threshold ? Outcome::below_threshold : Outcome::faster;
  }
  return {};
}

}  // namespace

std::string_view name_of(Outcome outcome) {
  constexpr std::array<std::string_view, 6> kNames = {"unfinished",    "no_replacements", "none_faster",
                                                      "not_confirmed", "below_threshold", "faster"};
  return kNames.at(static_cast<std::size_t>(outcome));
}

double Findings::gain() const {
  if (!confirmed_before || !confirmed_after || confirmed_after->outcome != Trial::Outcome::timed) return 0;
  const double before = confirmed_before->times.median;
  return before > 0 ? (before - confirmed_after->times.median) / before : 0;
}

base::Status search(std::size_t count, const SearchOptions& options, const Measure& measure, Findings& found) {
  return Search(count, options, measure, found).run();
}

}  // namespace assay::tune
