#include "reduce/explore/scouts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace assay::reduce {
namespace {

using testing::IsEmpty;
using testing::Not;

constexpr auto kFails = Verdict::Kind::fails;
constexpr auto kPasses = Verdict::Kind::passes;
constexpr auto kUnresolved = Verdict::Kind::unresolved;

Nodes first_nodes(int count) {
  Nodes nodes(static_cast<std::size_t>(count));
  std::iota(nodes.begin(), nodes.end(), 0);
  return nodes;
}

Nodes some_nodes(int count, int among, std::mt19937& random) {
  Nodes nodes = first_nodes(among);
  std::ranges::shuffle(nodes, random);
  nodes.resize(static_cast<std::size_t>(count));
  std::ranges::sort(nodes);
  return nodes;
}

Verdict::Kind judge(const Nodes& kept, const Nodes& culprits) {
  return std::ranges::includes(kept, culprits) ? kFails : kPasses;
}

// Judges all wanted sets at once until none is wanted. Returns the number of rounds.
int find(Scouts& scouts, const Nodes& culprits) {
  int rounds = 0;
  for (std::vector<Nodes> wanted = scouts.wanted(); !wanted.empty(); wanted = scouts.wanted()) {
    for (const Nodes& kept : wanted) scouts.learn(kept, judge(kept, culprits));
    if (++rounds > 100) break;
  }
  return rounds;
}

TEST(Scouts, FindCulpritsInRoundsAndForetellWhatIsAskedThen) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const int count = 1 + static_cast<int>(seed % 8);
    const Nodes culprits = some_nodes(count, 1000, random);
    Scouts scouts(first_nodes(1000), 15);
    EXPECT_LE(find(scouts, culprits), 4 + 2 * count);
    for (int i = 0; i < 20; ++i) {
      Nodes kept = some_nodes(700, 1000, random);
      if (i % 2 == 0) {
        kept.insert(kept.end(), culprits.begin(), culprits.end());
        std::ranges::sort(kept);
        const auto [from, to] = std::ranges::unique(kept);
        kept.erase(from, to);
      }
      const std::optional<double> chance = scouts.chance_to_fail(kept);
      ASSERT_TRUE(chance);
      EXPECT_EQ(*chance > 0.8, judge(kept, culprits) == kFails);
      EXPECT_EQ(*chance < 0.2, judge(kept, culprits) == kPasses);
    }
  }
}

TEST(Scouts, TakeFourRoundsForOneOfAThousandWithSixteenChecks) {
  Scouts scouts(first_nodes(1000), 16);
  EXPECT_LE(find(scouts, {617}), 4);
}

TEST(Scouts, KnowNothingBeforeSomethingHasPassed) {
  Scouts scouts(first_nodes(10), 4);
  EXPECT_FALSE(scouts.chance_to_fail({1, 2, 3}));
  scouts.learn(first_nodes(6), kFails);
  EXPECT_FALSE(scouts.chance_to_fail({1, 2, 3}));
  scouts.learn({0, 1, 2}, kPasses);
  EXPECT_GT(scouts.chance_to_fail({0, 3, 4, 5}).value(), scouts.chance_to_fail({0, 3}).value());
}

TEST(Scouts, WantNothingIfTheyOnlyPredict) {
  EXPECT_THAT(Scouts(first_nodes(10), 0).wanted(), IsEmpty());
}

TEST(Scouts, WantTheSameUntilTheyHear) {
  Scouts scouts(first_nodes(100), 4);
  const std::vector<Nodes> wanted = scouts.wanted();
  EXPECT_EQ(wanted.size(), 4U);
  EXPECT_EQ(scouts.wanted(), wanted);
}

TEST(Scouts, GiveUpIfACandidateWithAllSuspectsPasses) {
  Scouts scouts(first_nodes(10), 4);
  scouts.learn({2, 3}, kFails);
  scouts.learn({1, 2, 3}, kPasses);
  EXPECT_FALSE(scouts.chance_to_fail({2}));
  EXPECT_THAT(scouts.wanted(), IsEmpty());
}

TEST(Scouts, EndIfEveryVerdictIsUnresolved) {
  Scouts scouts(first_nodes(100), 8);
  int rounds = 0;
  for (std::vector<Nodes> wanted = scouts.wanted(); !wanted.empty() && rounds < 100; wanted = scouts.wanted()) {
    for (const Nodes& kept : wanted) scouts.learn(kept, kUnresolved);
    ++rounds;
  }
  EXPECT_EQ(rounds, 1);
}

TEST(Scouts, EndWithAnyVerdicts) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    Scouts scouts(first_nodes(50), 1 + seed % 20);
    int rounds = 0;
    for (std::vector<Nodes> wanted = scouts.wanted(); !wanted.empty() && rounds < 100; wanted = scouts.wanted()) {
      for (const Nodes& kept : wanted) {
        EXPECT_THAT(kept, Not(IsEmpty()));
        scouts.learn(kept, std::array{kFails, kPasses, kUnresolved}[random() % 3]);
      }
      ++rounds;
    }
    EXPECT_LT(rounds, 100) << seed;
  }
}

}  // namespace
}  // namespace assay::reduce
