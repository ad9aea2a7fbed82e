// Simulates two sides in memory, for tests of the search: a graph, bad cells, differences that vanish on the way, cells
// that are bad only if an engine fuses them with others, and pieces that an engine refuses.
#pragma once

#include <algorithm>
#include <functional>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "locate/search/probe.h"

namespace assay::locate {

struct Simulation {
  CellGraph graph;
  std::set<CellId> outputs;  // of the model
  std::set<CellId> bad;      // differ whenever they run, whatever their inputs
  // Each group differs at its last cell if all of it runs in one piece and no inner cell is marked.
  std::vector<std::vector<CellId>> fused;
  std::set<CellId> absorbing;         // agree if only their inputs differ
  double refused = 0;                 // probability that an engine refuses a piece
  std::size_t most_marks = SIZE_MAX;  // most marks that an engine accepts
  std::set<CellId> refused_alone;     // an engine refuses these cells by themselves
};

class SimulatedProbe final : public Probe {
 public:
  SimulatedProbe(const Simulation& simulation, int runs, unsigned seed = 1)
      : simulation_(simulation), runs_(runs), random_(seed) {}

  [[nodiscard]] int runs_left() const override { return runs_ - used_; }
  [[nodiscard]] int used() const { return used_; }

  base::Expected<WholeAnswer> run_whole(std::span<const CellId> marked) override {
    ++used_;
    if (marked.size() > simulation_.most_marks) return WholeAnswer{.disturbed = false, .refused = true, .readings = {}};
    std::set<CellId> seen = simulation_.outputs;
    seen.insert(marked.begin(), marked.end());
    const std::vector<bool> values = run(everything(), seen);
    const std::vector<bool> unmarked = run(everything(), simulation_.outputs);
    WholeAnswer answer;
    answer.disturbed = std::ranges::any_of(simulation_.outputs,
                                           [&](CellId cell) { return values[index(cell)] != unmarked[index(cell)]; });
    for (const CellId cell : marked) answer.readings.push_back(reading(cell, values));
    return answer;
  }

  base::Expected<Readings> run_piece(std::span<const CellId> cells) override {
    ++used_;
    if (refuses() || (cells.size() == 1 && simulation_.refused_alone.contains(cells[0]))) return std::nullopt;
    const std::set<CellId> piece(cells.begin(), cells.end());
    std::set<CellId> seen;
    for (const CellId cell : cells) {
      if (simulation_.outputs.contains(cell) || leaves(cell, piece)) seen.insert(cell);
    }
    const std::vector<bool> values = run(piece, seen);
    std::vector<Reading> readings;
    for (const CellId cell : seen) readings.push_back(reading(cell, values));
    return readings;
  }

  base::Expected<Readings> run_each_alone(std::span<const CellId> cells) override {
    ++used_;
    const bool one_is =
        std::ranges::any_of(cells, [&](CellId cell) { return simulation_.refused_alone.contains(cell); });
    if (one_is || refuses()) return std::nullopt;
    std::vector<Reading> readings;
    for (const CellId cell : cells) readings.push_back(reading(cell, run({cell}, {cell})));
    return readings;
  }

  // Returns the outputs that differ if nothing is marked.
  [[nodiscard]] std::vector<CellId> differing() const {
    const std::vector<bool> values = run(everything(), simulation_.outputs);
    std::vector<CellId> found;
    for (const CellId cell : simulation_.outputs) {
      if (values[index(cell)]) found.push_back(cell);
    }
    return found;
  }

  // Returns true if the piece differs anywhere with good values as inputs.
  [[nodiscard]] bool differs(const std::vector<CellId>& cells) {
    const std::set<CellId> piece(cells.begin(), cells.end());
    std::set<CellId> seen;
    for (const CellId cell : cells) {
      if (simulation_.outputs.contains(cell) || leaves(cell, piece)) seen.insert(cell);
    }
    const std::vector<bool> values = run(piece, seen);
    return std::ranges::any_of(seen, [&](CellId cell) { return values[index(cell)]; });
  }

 private:
  static std::size_t index(CellId cell) { return static_cast<std::size_t>(cell); }
  static Reading reading(CellId cell, const std::vector<bool>& values) {
    return {cell, values[index(cell)], values[index(cell)] ? 1.0 : 0.0};
  }
  bool refuses() { return std::uniform_real_distribution<double>(0, 1)(random_) < simulation_.refused; }

  [[nodiscard]] std::set<CellId> everything() const {
    std::set<CellId> all;
    for (std::size_t i = 0; i < simulation_.graph.size(); ++i) all.insert(static_cast<CellId>(i));
    return all;
  }

  [[nodiscard]] bool leaves(CellId cell, const std::set<CellId>& piece) const {
    for (std::size_t i = index(cell) + 1; i < simulation_.graph.size(); ++i) {
      if (piece.contains(static_cast<CellId>(i))) continue;
      if (std::ranges::find(simulation_.graph.parents[i], cell) != simulation_.graph.parents[i].end()) return true;
    }
    return false;
  }

  // Returns which cells differ if `piece` runs as one piece with `seen` marked.
  [[nodiscard]] std::vector<bool> run(const std::set<CellId>& piece, const std::set<CellId>& seen) const {
    std::set<CellId> born;
    for (const CellId cell : piece) {
      if (simulation_.bad.contains(cell)) born.insert(cell);
    }
    for (const std::vector<CellId>& group : simulation_.fused) {
      const bool whole = std::ranges::all_of(group, [&](CellId cell) { return piece.contains(cell); });
      const bool hidden =
          std::all_of(group.begin(), group.end() - 1, [&](CellId cell) { return !seen.contains(cell); });
      if (whole && hidden) born.insert(group.back());
    }
    std::vector<bool> values(simulation_.graph.size(), false);
    for (const CellId cell : piece) {
      const auto& parents = simulation_.graph.parents[index(cell)];
      const bool fed =
          std::ranges::any_of(parents, [&](CellId parent) { return piece.contains(parent) && values[index(parent)]; });
      values[index(cell)] = born.contains(cell) || (fed && !simulation_.absorbing.contains(cell));
    }
    return values;
  }

  const Simulation& simulation_;
  int runs_;
  int used_ = 0;
  std::mt19937 random_;
};

}  // namespace assay::locate
