#include "reduce/search/delta_debugging.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <set>

namespace assay::reduce {
namespace {

struct Outcome {
  std::vector<int> left;
  int tries = 0;
};

using Fails = std::function<bool(const std::set<int>& kept)>;

Outcome run(DeltaDebugging search, const Fails& fails) {
  Outcome outcome;
  while (!search.next().empty()) {
    std::set<int> kept;
    for (const int i : search.remaining()) kept.insert(i);
    for (const int i : search.next()) kept.erase(i);
    ++outcome.tries;
    search.learn(fails(kept));
  }
  outcome.left = search.remaining();
  return outcome;
}

Outcome run(std::vector<double> prior, const Fails& fails) {
  return run(DeltaDebugging(std::move(prior)), fails);
}

Fails needs(std::set<int> culprits) {
  return [culprits = std::move(culprits)](const std::set<int>& kept) { return std::ranges::includes(kept, culprits); };
}

TEST(DeltaDebugging, FindsOneOfAThousandInAboutAsManyTriesAsHalvingNeeds) {
  const Outcome outcome = run(std::vector<double>(1000, 0.002), needs({617}));
  EXPECT_EQ(outcome.left, std::vector{617});
  EXPECT_LE(outcome.tries, 25);
}

TEST(DeltaDebugging, FindsDistantOnesThatAreNeededTogether) {
  const Outcome outcome = run(std::vector<double>(512, 0.005), needs({3, 200, 511}));
  EXPECT_EQ(outcome.left, (std::vector{3, 200, 511}));
  EXPECT_LE(outcome.tries, 75);
}

TEST(DeltaDebugging, TriesASetInWhichAllAreNeededLittleMoreThanOnceEach) {
  const Outcome outcome = run(std::vector<double>(9, 0.3), needs({0, 1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(outcome.left.size(), 9U);
  EXPECT_LE(outcome.tries, 16);
}

TEST(DeltaDebugging, WithoutAPriorTriesEachOnceIfAllAreNeeded) {
  for (int count = 2; count <= 60; ++count) {
    std::set<int> all;
    for (int i = 0; i < count; ++i) all.insert(i);
    const Outcome outcome = run(DeltaDebugging::without_prior(all.size()), needs(all));
    EXPECT_EQ(outcome.left.size(), all.size());
    EXPECT_EQ(outcome.tries, count);
  }
}

TEST(DeltaDebugging, WithoutAPriorRemovesSetsIfFewAreNeeded) {
  for (int first = 0; first < 35; ++first) {
    const std::set<int> culprits = {first, first + 1, 38, 39};
    const Outcome outcome = run(DeltaDebugging::without_prior(41), needs(culprits));
    EXPECT_EQ(std::set<int>(outcome.left.begin(), outcome.left.end()), culprits);
    EXPECT_LE(outcome.tries, 33);
  }
}

// 19 can be removed at once, 10 only after 19, 11 after 10, and so on up to 18.
TEST(DeltaDebugging, ASuccessDoesNotBeginAgainWithThoseThatJustFailed) {
  const Outcome outcome = run(std::vector<double>(20, 0.9), [](const std::set<int>& kept) {
    for (int i = 10; i < 19; ++i) {
      if (!kept.contains(i) && kept.contains(i == 10 ? 19 : i - 1)) return false;
    }
    return needs({0, 1, 2, 3, 4, 5, 6, 7, 8, 9})(kept);
  });
  EXPECT_EQ(outcome.left.size(), 10U);
  EXPECT_LE(outcome.tries, 20 + 11 + 8 + 10);
}

TEST(DeltaDebugging, NeverTriesToTakeOutEverything) {
  run(std::vector<double>(3, 0.01), [](const std::set<int>& kept) {
    EXPECT_FALSE(kept.empty());
    return true;
  });
  EXPECT_TRUE(DeltaDebugging({0.5}).next().empty());
}

TEST(DeltaDebugging, MayTryTheEmptySetIfAllowed) {
  DeltaDebugging search({0.5});
  search.allow_empty();
  EXPECT_EQ(search.next(), std::vector{0});
  search.learn(true);
  EXPECT_TRUE(search.next().empty());
  EXPECT_TRUE(search.remaining().empty());
}

// A failure that follows no rule: about a third of all sets fail, by a hash of the set.
TEST(DeltaDebugging, EndsOneMinimalWhateverTheTestDoes) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const Fails fails = [&](const std::set<int>& kept) {
      std::seed_seq sequence(kept.begin(), kept.end());
      std::mt19937 generator(sequence);
      generator.discard(seed);
      return generator() % 3 == 0;
    };
    for (const DeltaDebugging& search :
         {DeltaDebugging(std::vector<double>(12, 0.1 + 0.004 * seed)), DeltaDebugging::without_prior(12)}) {
      const Outcome outcome = run(search, fails);
      for (const int element : outcome.left) {
        std::set<int> kept(outcome.left.begin(), outcome.left.end());
        kept.erase(element);
        EXPECT_TRUE(kept.empty() || !fails(kept)) << "seed " << seed << ", element " << element;
      }
    }
  }
}

TEST(DeltaDebugging, TakesOutNeighboursTogether) {
  DeltaDebugging search(std::vector<double>(8, 0.25));
  EXPECT_EQ(search.next(), (std::vector{0, 1, 2, 3}));
}

TEST(DeltaDebugging, MayTryEverythingFirst) {
  DeltaDebugging search(std::vector<double>(30, 0.5));
  search.allow_empty();
  search.all_first();
  EXPECT_EQ(search.next().size(), 30U);
  search.learn(false);
  EXPECT_LT(search.next().size(), 5U);
}

TEST(DeltaDebugging, TriesPreferredElementsFirstEvenIfTheyWereNeededBefore) {
  DeltaDebugging search(std::vector<double>(5, 0.6));
  ASSERT_EQ(search.next(), std::vector{0});
  search.learn(false);
  ASSERT_EQ(search.next(), std::vector{1});
  search.learn(true);
  search.prefer({0, 3});  // 0 was needed while 1 remained
  EXPECT_EQ(search.next(), std::vector{0});
  search.learn(true);
  EXPECT_EQ(search.next(), std::vector{3});
  search.learn(false);
  EXPECT_EQ(search.next(), std::vector{2});
}

TEST(DeltaDebugging, KeepsItsSetsWhateverIsPreferred) {
  DeltaDebugging search(std::vector<double>(8, 0.25));
  search.prefer({6});
  EXPECT_EQ(search.next(), (std::vector{0, 1, 2, 3}));
}

TEST(DeltaDebugging, DoublesRunsWhileTheyCanBeRemoved) {
  DeltaDebugging search(std::vector<double>(20, 0.6));
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(search.next(), std::vector{i});
    EXPECT_FALSE(search.is_run());
    search.learn(true);
  }
  ASSERT_EQ(search.next(), (std::vector{3, 4}));
  EXPECT_TRUE(search.is_run());
  search.learn(true);
  ASSERT_EQ(search.next(), (std::vector{5, 6, 7, 8}));
  search.learn(false);
  EXPECT_EQ(search.next(), std::vector{5});
  EXPECT_FALSE(search.is_run());
}

TEST(DeltaDebugging, ARejectedRunChangesNoProbability) {
  DeltaDebugging search(std::vector<double>(9, 0.6));
  for (int i = 0; i < 3; ++i) {
    search.next();
    search.learn(true);
  }
  ASSERT_EQ(search.next(), (std::vector{3, 4}));
  search.learn(false);
  for (int i = 3; i < 9; ++i) {
    EXPECT_EQ(search.next(), std::vector{i});
    search.learn(false);
  }
  EXPECT_TRUE(search.next().empty());
}

// Every eighth element has to be removed before the others, or with them: until then, no other set can be judged. So
// all sets are rejected, then all single elements.
TEST(DeltaDebugging, RemovesRunsOfElementsThatCouldNotBeJudgedBefore) {
  constexpr int kCount = 100;
  const Outcome outcome = run(std::vector<double>(kCount, 0.6), [](const std::set<int>& kept) {
    bool lacks_others = false, has_eighths = false;
    for (int i = 0; i < kCount; ++i) {
      (i % 8 == 0 ? has_eighths : lacks_others) |= kept.contains(i) == (i % 8 == 0);
    }
    return kept.contains(kCount - 1) && !(lacks_others && has_eighths);
  });
  EXPECT_EQ(outcome.left, std::vector{kCount - 1});
  EXPECT_LE(outcome.tries, 110);  // 184 one by one: each once in vain
}

TEST(DeltaDebugging, CopiesGoTheirOwnWays) {
  DeltaDebugging search(std::vector<double>(16, 0.1));
  const std::vector<int> first = search.next();
  DeltaDebugging other = search;
  other.learn(true);
  EXPECT_EQ(search.next(), first);
}

TEST(DeltaDebugging, SaysWhichElementsATrialLacks) {
  DeltaDebugging search(std::vector<double>(4, 0.1));
  search.all_first();
  EXPECT_EQ(search.next(), (std::vector{0, 1, 2}));
  EXPECT_EQ(search.removed_in_trial(), (std::vector{true, true, true, false}));
  DeltaDebugging rejected = search;
  rejected.learn(false);
  EXPECT_EQ(rejected.removed_in_trial(), std::vector<bool>(4, false));
  search.learn(true);
  EXPECT_EQ(search.removed_in_trial(), (std::vector{true, true, true, false}));
}

}  // namespace
}  // namespace assay::reduce
