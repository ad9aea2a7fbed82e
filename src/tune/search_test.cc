// The search is compared with brute force on invented times.
#include "tune/search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <set>

namespace assay::tune {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

run::TimingSummary around(double median, double half_width) {
  run::TimingSummary times;
  times.iterations = 50;
  times.lower_quartile = median - half_width;
  times.median = median;
  times.upper_quartile = median + half_width;
  return times;
}

// An engine with invented times.
struct Machine {
  std::function<double(const Combination&)> seconds;
  double noise = 0;                        // half the distance of the quartiles
  std::set<Combination> overlapping = {};  // pairs
  std::set<std::size_t> failing = {};      // single replacements that no engine takes
  std::size_t error_after = 1000000;       // number of measurements
  std::vector<Combination> measured = {};

  [[nodiscard]] Trial::Outcome outcome(const Combination& combination) const {
    for (const Combination& pair : overlapping) {
      if (std::ranges::includes(combination, pair)) return Trial::Outcome::overlaps;
    }
    const bool fails = std::ranges::any_of(combination, [&](std::size_t i) { return failing.contains(i); });
    return fails ? Trial::Outcome::fails : Trial::Outcome::timed;
  }
  Measure measure() {
    return [this](const Combination& combination) -> base::Expected<Trial> {
      if (measured.size() == error_after) return base::fail(base::ErrorKind::interrupted, "stopped");
      measured.push_back(combination);
      Trial trial{.replacements = combination, .outcome = outcome(combination)};
      if (trial.outcome == Trial::Outcome::timed) trial.times = around(seconds(combination), noise);
      return trial;
    };
  }
};

Combination from_bits(unsigned bits) {
  Combination combination;
  for (std::size_t i = 0; bits >> i != 0; ++i) {
    if ((bits >> i & 1) != 0) combination.push_back(i);
  }
  return combination;
}

// Each replacement changes the time by its own amount.
std::function<double(const Combination&)> sum_of(std::vector<double> changes, double start = 10) {
  return [=](const Combination& combination) {
    double sum = start;
    for (const std::size_t i : combination) sum += changes[i];
    return sum;
  };
}

Findings find(std::size_t count, Machine& machine, SearchOptions options = {}) {
  Findings found;
  const base::Status status = search(count, options, machine.measure(), found);
  EXPECT_TRUE(status) << status.error().message();
  return found;
}

SearchOptions exhaustive() {
  return {.mode = SearchOptions::Mode::exhaustive, .threshold = 0};
}

TEST(Search, BothModesTakeWhatMakesTheModelFaster) {
  for (const auto mode : {SearchOptions::Mode::greedy, SearchOptions::Mode::exhaustive}) {
    Machine machine{.seconds = sum_of({-2, 1, -1, 3})};
    const Findings found = find(4, machine, {.mode = mode});
    EXPECT_EQ(found.outcome, Outcome::faster);
    EXPECT_THAT(found.best, ElementsAre(0, 2));
    EXPECT_DOUBLE_EQ(found.gain(), 0.3);
    EXPECT_TRUE(found.complete);
    EXPECT_THAT(found.trials.front().replacements, IsEmpty());
    // Both are timed once more at the end.
    ASSERT_GE(machine.measured.size(), 2U);
    EXPECT_THAT(machine.measured[machine.measured.size() - 2], IsEmpty());
    EXPECT_THAT(machine.measured.back(), ElementsAre(0, 2));
  }
}

TEST(Search, GreedyIsTheBestOfAllIfReplacementsDontInfluenceEachOther) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> change(-1, 1);
  for (int round = 0; round < 50; ++round) {
    std::vector<double> changes(8);
    for (double& each : changes) each = change(random);
    Machine one{.seconds = sum_of(changes)};
    Machine other{.seconds = sum_of(changes)};
    const Findings greedy = find(8, one, {.threshold = 0});
    EXPECT_EQ(greedy.best, find(8, other, exhaustive()).best);
    EXPECT_LE(one.measured.size(), 2 * 8 + 3U);  // two passes, the model as it is, and the confirmation
  }
}

// Any dependence, overlaps and failures: exhaustive finds the best of all, and greedy a combination that no single
// replacement, made or undone, makes faster.
TEST(Search, BruteForceFindsNothingBetter) {
  std::mt19937 random(2);
  constexpr std::size_t kCount = 6;
  const auto timed = [](const Machine& machine, const Combination& combination) {
    return machine.outcome(combination) == Trial::Outcome::timed;
  };
  for (int round = 0; round < 200; ++round) {
    std::map<Combination, double> table;
    std::uniform_real_distribution<double> second(1, 10);
    table[{}] = 9;
    for (unsigned bits = 1; bits < 1U << kCount; ++bits) table[from_bits(bits)] = second(random);
    std::uniform_int_distribution<std::size_t> number(0, kCount - 1);
    Machine machine{.seconds = [&](const Combination& combination) { return table.at(combination); }};
    for (int i = 0; i < round % 4; ++i) machine.failing.insert(number(random));
    for (int i = 0; i < round % 3; ++i) {
      const auto [low, high] = std::minmax({number(random), number(random)});
      if (low != high) machine.overlapping.insert({low, high});
    }
    Combination best;
    for (const auto& [combination, seconds] : table) {
      if (timed(machine, combination) && seconds < table[best]) best = combination;
    }
    Machine other = machine;
    EXPECT_EQ(find(kCount, machine, exhaustive()).best, best);
    const Findings greedy = find(kCount, other, {.threshold = 0});
    for (std::size_t i = 0; i < kCount; ++i) {
      Combination changed = greedy.best;
      if (std::erase(changed, i) == 0) {
        changed.push_back(i);
        std::ranges::sort(changed);
      }
      EXPECT_TRUE(!timed(machine, changed) || table[changed] >= table[greedy.best]);
    }
  }
}

TEST(Search, NoCombinationIsBuiltTwiceBeforeTheConfirmation) {
  for (const auto mode : {SearchOptions::Mode::greedy, SearchOptions::Mode::exhaustive}) {
    Machine machine{.seconds = sum_of({-2, -1, -1, 3, 1})};
    find(5, machine, {.mode = mode});
    machine.measured.resize(machine.measured.size() - 2);
    EXPECT_EQ(std::set<Combination>(machine.measured.begin(), machine.measured.end()).size(), machine.measured.size());
  }
}

TEST(Search, AGainWithinTheNoiseIsNone) {
  for (const auto mode : {SearchOptions::Mode::greedy, SearchOptions::Mode::exhaustive}) {
    Machine noisy{.seconds = sum_of({-0.1, -0.15, 0.1}), .noise = 0.2};
    const Findings found = find(3, noisy, {.mode = mode, .threshold = 0});
    EXPECT_EQ(found.outcome, Outcome::none_faster);
    EXPECT_THAT(found.best, IsEmpty());
    EXPECT_FALSE(found.improves());
    Machine quiet{.seconds = sum_of({-0.1, -0.15, 0.1}), .noise = 0.01};
    EXPECT_THAT(find(3, quiet, {.mode = mode, .threshold = 0}).best, ElementsAre(0, 1));
  }
}

TEST(Search, ReplacementsThatBringNothingAreLeftOut) {
  // The second one is faster by less than the noise, together with the first one only.
  Machine machine{.seconds = sum_of({-4, -0.1}), .noise = 0.2};
  EXPECT_THAT(find(2, machine, exhaustive()).best, ElementsAre(0));
  // The first one helps until the second one is made.
  Machine replaced{.seconds = [](const Combination& combination) {
    if (combination.empty()) return 10.0;
    return combination == Combination{0} ? 8.0 : 6.0;
  }};
  EXPECT_THAT(find(2, replaced).best, ElementsAre(1));
}

TEST(Search, ALuckyFirstTimeIsNotConfirmed) {
  int times = 0;
  Machine machine{
      .seconds = [&](const Combination& combination) { return combination.empty() || ++times > 1 ? 10.0 : 5.0; }};
  const Findings found = find(1, machine);
  EXPECT_EQ(found.outcome, Outcome::not_confirmed);
  EXPECT_FALSE(found.improves());
  EXPECT_DOUBLE_EQ(found.gain(), 0);
}

TEST(Search, ASmallGainIsBelowTheThreshold) {
  Machine machine{.seconds = sum_of({-0.5})};
  const Findings found = find(1, machine);
  EXPECT_EQ(found.outcome, Outcome::below_threshold);
  EXPECT_FALSE(found.improves());
  EXPECT_DOUBLE_EQ(found.gain(), 0.05);
  Machine same{.seconds = sum_of({-0.5})};
  EXPECT_EQ(find(1, same, {.threshold = 0.05}).outcome, Outcome::faster);
}

TEST(Search, TheNumberOfCombinationsIsLimited) {
  Machine machine{.seconds = sum_of(std::vector<double>(30, -0.1))};
  SearchOptions options = exhaustive();
  options.max_combinations = 40;
  const Findings found = find(30, machine, options);
  EXPECT_FALSE(found.complete);
  EXPECT_EQ(found.trials.size(), 41U);
  EXPECT_EQ(found.best.size(), 30U) << "all of them together are tried early";
  Machine other{.seconds = sum_of({-1, -1, -1, -1})};
  const Findings greedy = find(4, other, {.max_combinations = 2});
  EXPECT_FALSE(greedy.complete);
  EXPECT_THAT(greedy.best, ElementsAre(0, 1));
  Machine exact{.seconds = sum_of({-1, -1})};
  EXPECT_TRUE(find(2, exact, {.mode = SearchOptions::Mode::exhaustive, .max_combinations = 3}).complete);
}

TEST(Search, ExhaustiveTriesEachCombinationOnce) {
  for (std::size_t count = 1; count <= 8; ++count) {
    Machine machine{.seconds = sum_of(std::vector<double>(count, 1))};
    const Findings found = find(count, machine, exhaustive());
    EXPECT_TRUE(found.complete);
    EXPECT_EQ(found.trials.size(), std::size_t{1} << count);
    const std::set<Combination> tried(machine.measured.begin(), machine.measured.end());
    EXPECT_EQ(tried.size(), machine.measured.size());
  }
}

// Otherwise a search would look for ever for a combination that doesn't overlap.
TEST(Search, ManyOverlapsEndTheExhaustiveSearch) {
  constexpr std::size_t kCount = 60;
  Machine machine{.seconds = sum_of(std::vector<double>(kCount, -0.1))};
  for (std::size_t i = 0; i < kCount; ++i) {
    for (std::size_t k = 0; k < i; ++k) machine.overlapping.insert({k, i});
  }
  SearchOptions options = exhaustive();
  options.max_combinations = 10000;
  const Findings found = find(kCount, machine, options);
  EXPECT_TRUE(found.complete);
  EXPECT_EQ(found.best.size(), 1U);
}

TEST(Search, CombinationsThatContainAnOverlapArentTried) {
  Machine machine{.seconds = sum_of({-1, -2, -1}), .overlapping = {{0, 1}}};
  const Findings found = find(3, machine, exhaustive());
  EXPECT_THAT(found.best, ElementsAre(1, 2));
  const auto overlaps = [](const Trial& trial) { return trial.outcome == Trial::Outcome::overlaps; };
  EXPECT_LE(std::ranges::count_if(found.trials, overlaps), 2);  // all three, which come early, and the pair
}

TEST(Search, GreedyTriesAReplacementThatFailsOnce) {
  Machine machine{.seconds = sum_of({-1, -1, -1}), .failing = {1}};
  const Findings found = find(3, machine);
  EXPECT_THAT(found.best, ElementsAre(0, 2));
  EXPECT_EQ(std::ranges::count(found.trials, Trial::Outcome::fails, &Trial::outcome), 1);
}

TEST(Search, WithoutReplacementsNothingIsTimed) {
  Machine machine{.seconds = sum_of({})};
  EXPECT_EQ(find(0, machine).outcome, Outcome::no_replacements);
  EXPECT_THAT(machine.measured, IsEmpty());
}

TEST(Search, AnErrorEndsItAndKeepsWhatWasTried) {
  for (const auto mode : {SearchOptions::Mode::greedy, SearchOptions::Mode::exhaustive}) {
    for (std::size_t after = 0; after < 5; ++after) {
      Machine machine{.seconds = sum_of({-1, -1, -1}), .error_after = after};
      Findings found;
      const base::Status status = search(3, {.mode = mode}, machine.measure(), found);
      ASSERT_FALSE(status);
      EXPECT_EQ(status.error().kind, base::ErrorKind::interrupted);
      EXPECT_EQ(found.trials.size(), after);
      EXPECT_EQ(found.outcome, Outcome::unfinished);
    }
  }
}

}  // namespace
}  // namespace assay::tune
