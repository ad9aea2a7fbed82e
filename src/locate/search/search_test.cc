#include "locate/search/search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "locate/search/simulated_probe.h"

namespace assay::locate {
namespace {

using testing::ElementsAre;

// The budget of a whole command: the runs before the search, and those that it may use.
constexpr int kBefore = 3;
int limit(std::size_t cells) {
  return static_cast<int>(std::floor(2 * std::log2(static_cast<double>(cells)))) + 8 - kBefore;
}

// Creates mostly a chain with branches and shortcuts, like real models. Cells without readers are outputs.
Simulation random_graph(std::mt19937& random, std::size_t size) {
  Simulation simulation;
  simulation.graph.parents.resize(size);
  simulation.graph.bytes.assign(size, 1);
  std::vector<bool> read(size, false);
  for (std::size_t i = 1; i < size; ++i) {
    auto& parents = simulation.graph.parents[i];
    const auto add = [&](std::size_t parent) {
      const auto id = static_cast<CellId>(parent);
      if (std::ranges::find(parents, id) == parents.end()) parents.push_back(id), read[parent] = true;
    };
    if (random() % 20 != 0) add(random() % 4 == 0 ? i - 1 - random() % std::min<std::size_t>(i, 8) : i - 1);
    if (random() % 5 == 0) add(random() % i);
  }
  for (std::size_t i = 0; i < size; ++i) {
    if (!read[i]) simulation.outputs.insert(static_cast<CellId>(i));
  }
  return simulation;
}

Simulation chain(std::size_t size) {
  Simulation simulation;
  simulation.graph.parents.resize(size);
  simulation.graph.bytes.assign(size, 1);
  for (std::size_t i = 1; i < size; ++i) simulation.graph.parents[i] = {static_cast<CellId>(i - 1)};
  simulation.outputs = {static_cast<CellId>(size - 1)};
  return simulation;
}

struct Searched {
  Finding finding;
  int runs = 0;
};

Searched search_in(const Simulation& simulation, SearchOptions options = {}, unsigned seed = 1) {
  SimulatedProbe probe(simulation, limit(simulation.graph.size()), seed);
  const std::vector<CellId> differing = probe.differing();
  EXPECT_FALSE(differing.empty());
  Searched searched;
  searched.finding = search(simulation.graph, differing, probe, options).value();
  searched.runs = probe.used();
  EXPECT_GE(probe.runs_left(), options.reserved_runs);
  return searched;
}

TEST(Search, NamesTheFirstBadCellInTwoRunsWhereMarkingChangesNothing) {
  std::mt19937 random(1);
  for (int round = 0; round < 3000; ++round) {
    Simulation simulation = random_graph(random, 2 + random() % 300);
    const auto cells = static_cast<std::uint32_t>(simulation.graph.size());
    for (std::uint32_t i = 0; i <= random() % 3; ++i) simulation.bad.insert(static_cast<CellId>(random() % cells));
    for (std::uint32_t i = 0; i < cells / 10; ++i) simulation.absorbing.insert(static_cast<CellId>(random() % cells));
    if (SimulatedProbe(simulation, 0).differing().empty()) continue;
    const auto [finding, runs] = search_in(simulation);
    EXPECT_EQ(finding.way, Way::all_at_once);
    EXPECT_EQ(finding.first, *simulation.bad.begin()) << "round " << round;
    EXPECT_THAT(finding.piece, ElementsAre(finding.first));
    EXPECT_TRUE(finding.confirmed);
    EXPECT_EQ(runs, 2);
    for (const Reading& reading : finding.alone) EXPECT_EQ(reading.differs, simulation.bad.contains(reading.cell));
  }
}

// Returns a chain of cells without readers outside, as an engine fuses them.
std::vector<CellId> random_group(std::mt19937& random, const Simulation& simulation) {
  const CellGraph& graph = simulation.graph;
  std::vector<int> readers(graph.size(), 0);
  for (const auto& parents : graph.parents) {
    for (const CellId parent : parents) ++readers[static_cast<std::size_t>(parent)];
  }
  std::vector<CellId> group = {static_cast<CellId>(random() % graph.size())};
  const std::size_t length = 2 + random() % 5;
  while (group.size() < length) {
    const auto& parents = graph.parents[static_cast<std::size_t>(group.back())];
    const auto inner = std::ranges::find_if(parents, [&](CellId parent) {
      return readers[static_cast<std::size_t>(parent)] == 1 && !simulation.outputs.contains(parent);
    });
    if (inner == parents.end()) break;
    group.push_back(*inner);
  }
  std::ranges::reverse(group);
  return group;
}

TEST(Search, LooksInsideWhereOutputsAgree) {
  Simulation simulation = chain(40);
  simulation.bad = {7};
  simulation.absorbing = {12};
  SimulatedProbe probe(simulation, limit(40));
  ASSERT_TRUE(probe.differing().empty());
  const SearchOptions options{.trust_marks = true, .outputs_agree = true};
  const Finding finding = search(simulation.graph, {39}, probe, options).value();
  EXPECT_EQ(finding.first, 7);
  EXPECT_TRUE(finding.confirmed);
  EXPECT_EQ(probe.used(), 2);

  simulation.bad.clear();
  SimulatedProbe agreeing(simulation, limit(40));
  EXPECT_EQ(search(simulation.graph, {39}, agreeing, options).value().first, -1);
  EXPECT_EQ(agreeing.used(), 1);
}

TEST(Search, FindsAFusedGroupThatMarkingTakesApart) {
  std::mt19937 random(2);
  int searched_count = 0;
  int smallest = 0;
  for (int round = 0; round < 4000; ++round) {
    Simulation simulation = random_graph(random, 8 + random() % 500);
    const std::vector<CellId> group = random_group(random, simulation);
    if (group.size() < 2) continue;
    simulation.fused = {group};
    if (SimulatedProbe(simulation, 0).differing().empty()) continue;
    const auto [finding, runs] = search_in(simulation);
    ++searched_count;
    EXPECT_EQ(finding.way, Way::bisection);
    EXPECT_TRUE(finding.disturbed);
    EXPECT_EQ(finding.first, group.back()) << "round " << round;
    EXPECT_TRUE(finding.confirmed);
    EXPECT_TRUE(std::ranges::includes(finding.piece, group)) << "round " << round;
    EXPECT_FALSE(finding.exhausted) << "round " << round << ", " << simulation.graph.size() << " cells";
    // The smallest distance that includes the group: no cell of the piece is farther away than the group's first.
    const std::vector<int> distances = distances_to(simulation.graph, finding.first);
    int depth = 0;
    for (const CellId cell : group) depth = std::max(depth, distances[static_cast<std::size_t>(cell)]);
    int reached = 0;
    for (const CellId cell : finding.piece) reached = std::max(reached, distances[static_cast<std::size_t>(cell)]);
    smallest += reached == depth ? 1 : 0;
  }
  EXPECT_GT(searched_count, 1000);
  EXPECT_EQ(smallest, searched_count);
}

TEST(Search, WhateverItNamesDiffersByItself) {
  std::mt19937 random(3);
  for (int round = 0; round < 3000; ++round) {
    Simulation simulation = random_graph(random, 4 + random() % 200);
    const auto cells = static_cast<std::uint32_t>(simulation.graph.size());
    for (std::uint32_t i = 0; i < random() % 3; ++i) simulation.bad.insert(static_cast<CellId>(random() % cells));
    for (std::uint32_t i = 0; i <= random() % 3; ++i) {
      auto group = random_group(random, simulation);
      if (group.size() > 1) simulation.fused.push_back(std::move(group));
    }
    for (std::uint32_t i = 0; i < cells / 5; ++i) simulation.absorbing.insert(static_cast<CellId>(random() % cells));
    simulation.refused = random() % 3 == 0 ? 0.2 : 0;
    if (SimulatedProbe(simulation, 0).differing().empty()) continue;
    const SearchOptions options{.memory_budget = 1 + random() % 500};
    const Finding finding = search_in(simulation, options, static_cast<unsigned>(round)).finding;
    SimulatedProbe check(simulation, 0);
    ASSERT_FALSE(finding.piece.empty());
    if (finding.confirmed) {
      EXPECT_TRUE(check.differs(finding.piece)) << "round " << round;
    } else {
      EXPECT_TRUE(finding.exhausted || simulation.refused > 0) << "round " << round;
    }
    EXPECT_TRUE(std::ranges::is_sorted(finding.piece));
  }
}

// Cell 1 has two readers, so every piece without one of them marks it, which takes the group apart.
TEST(Search, APrefixThatDiffersIsAPieceIfNoSmallerOneDiffers) {
  Simulation simulation = chain(6);
  simulation.graph.parents = {{}, {0}, {1}, {1}, {2, 3}, {4}};
  simulation.fused = {{1, 3}};
  const Finding finding = search_in(simulation).finding;
  EXPECT_EQ(finding.way, Way::bisection);
  EXPECT_EQ(finding.first, 3);
  EXPECT_THAT(finding.piece, ElementsAre(0, 1, 2, 3));
  EXPECT_TRUE(finding.confirmed);
  EXPECT_FALSE(finding.exhausted);
}

TEST(Search, GoesThroughWindowsUntilADifferenceIsBorn) {
  Simulation simulation = chain(1000);
  simulation.bad = {300, 700};
  const auto [finding, runs] = search_in(simulation, {.memory_budget = 200});
  EXPECT_EQ(finding.way, Way::windows);
  EXPECT_EQ(finding.first, 300);
  EXPECT_EQ(runs, 3) << "two windows, and the suspects of the second alone";
  EXPECT_EQ(finding.in_model.size(), 400U);
}

TEST(Search, MarksSomeWhereWindowsWouldTakeMoreRuns) {
  Simulation simulation = chain(1000);
  simulation.bad = {777};
  const auto [finding, runs] = search_in(simulation, {.memory_budget = 20});
  EXPECT_EQ(finding.way, Way::some);
  EXPECT_FALSE(finding.disturbed);
  EXPECT_EQ(finding.first, 777);
  EXPECT_THAT(finding.piece, ElementsAre(777));
  EXPECT_LE(runs, 5);
}

TEST(Search, MarksSomeWhereAnEngineRefusesMany) {
  std::mt19937 random(4);
  int named = 0;
  for (int round = 0; round < 2000; ++round) {
    Simulation simulation = random_graph(random, 20 + random() % 500);
    const auto cells = static_cast<std::uint32_t>(simulation.graph.size());
    simulation.bad.insert(static_cast<CellId>(random() % cells));
    if (round % 2 == 0) simulation.bad.insert(static_cast<CellId>(random() % cells));
    simulation.most_marks = 1 + random() % 16;
    if (SimulatedProbe(simulation, 0).differing().empty()) continue;
    const auto [finding, runs] = search_in(simulation);
    EXPECT_EQ(finding.way, Way::some);
    if (finding.exhausted) continue;
    ++named;
    EXPECT_TRUE(simulation.bad.contains(finding.first)) << "round " << round;
    EXPECT_THAT(finding.piece, ElementsAre(finding.first));
  }
  EXPECT_GT(named, 1700);
}

TEST(Search, BisectsWhereAnEngineTakesNoMarks) {
  Simulation simulation = chain(1000);
  simulation.bad = {333};
  simulation.most_marks = 0;
  const auto [finding, runs] = search_in(simulation);
  EXPECT_EQ(finding.way, Way::bisection);
  EXPECT_EQ(finding.first, 333);
}

// No cell is bad enough by itself: each adds a little, and 20 of them in a row are too much.
class SmallErrors final : public Probe {
 public:
  explicit SmallErrors(int runs) : runs_(runs) {}
  [[nodiscard]] int runs_left() const override { return runs_; }
  base::Expected<WholeAnswer> run_whole(std::span<const CellId> marked) override {
    --runs_;
    WholeAnswer answer;
    for (const CellId cell : marked) answer.readings.push_back({cell, cell >= 20, cell / 20.0});
    return answer;
  }
  base::Expected<Readings> run_piece(std::span<const CellId> cells) override {
    --runs_;
    return std::vector<Reading>{{cells.back(), cells.size() > 20, static_cast<double>(cells.size()) / 20}};
  }
  base::Expected<Readings> run_each_alone(std::span<const CellId> cells) override {
    --runs_;
    std::vector<Reading> readings;
    for (const CellId cell : cells) readings.push_back({cell, false, 0.05});
    return readings;
  }

 private:
  int runs_;
};

TEST(Search, TakesAPieceWhereSmallErrorsAddUp) {
  const Simulation simulation = chain(64);
  SmallErrors probe(30);
  const Finding finding = search(simulation.graph, {63}, probe, {}).value();
  EXPECT_EQ(finding.first, 20) << "the first that differs";
  EXPECT_EQ(finding.piece.size(), 21U);
  EXPECT_EQ(finding.alone.size(), 44U);
  EXPECT_FALSE(finding.exhausted);
}

TEST(Search, ASuspectThatAnEngineRefusesDoesNotEndTheTrialsOfOthers) {
  Simulation simulation = chain(64);
  simulation.bad = {30, 40};
  simulation.refused_alone = {30};
  const Searched searched = search_in(simulation);
  EXPECT_EQ(searched.finding.first, 40);
  EXPECT_TRUE(searched.finding.confirmed);
  EXPECT_THAT(searched.finding.piece, ElementsAre(40));
  EXPECT_THAT(searched.finding.not_alone, ElementsAre(30));
}

TEST(Search, APieceThatAnEngineRefusesDoesNotCountAsSeenToAgree) {
  Simulation simulation = chain(8);
  simulation.fused = {{3, 4, 5}};
  simulation.refused_alone = {5};
  const Finding finding = search_in(simulation).finding;
  EXPECT_THAT(finding.piece, ElementsAre(3, 4, 5));
  EXPECT_TRUE(finding.confirmed);
  EXPECT_TRUE(finding.refused_alone);
  EXPECT_FALSE(finding.refused_whole);
  simulation.refused_alone.clear();
  EXPECT_FALSE(search_in(simulation).finding.refused_alone);

  Simulation one = chain(1);
  one.bad = one.refused_alone = {0};
  const Finding refused = search_in(one).finding;
  EXPECT_FALSE(refused.confirmed);
  EXPECT_TRUE(refused.refused_whole);
}

TEST(Search, GivesWhatItKnowsWhereRunsEnd) {
  Simulation simulation = chain(100);
  simulation.fused = {{40, 41, 42, 43, 44, 45, 46}};
  for (int runs = 1; runs < 20; ++runs) {
    SimulatedProbe probe(simulation, runs);
    const Finding finding = search(simulation.graph, {99}, probe, {.reserved_runs = 0}).value();
    EXPECT_LE(probe.used(), runs);
    EXPECT_TRUE(finding.confirmed || finding.exhausted) << runs;
    EXPECT_TRUE(std::ranges::includes(finding.piece, simulation.fused[0])) << runs;
  }
}

TEST(Search, AnErrorOfTheProbeEndsIt) {
  class Broken final : public Probe {
   public:
    [[nodiscard]] int runs_left() const override { return 10; }
    base::Expected<WholeAnswer> run_whole(std::span<const CellId>) override { return fail(); }
    base::Expected<Readings> run_piece(std::span<const CellId>) override { return fail(); }
    base::Expected<Readings> run_each_alone(std::span<const CellId>) override { return fail(); }

   private:
    static tl::unexpected<base::Error> fail() { return base::fail(base::ErrorKind::interrupted, "stopped"); }
  };
  Broken probe;
  const Simulation simulation = chain(5);
  EXPECT_EQ(search(simulation.graph, {4}, probe, {}).error().kind, base::ErrorKind::interrupted);
}

}  // namespace
}  // namespace assay::locate
