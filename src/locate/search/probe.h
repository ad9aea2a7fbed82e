// The questions that the search can ask of the two sides. Each costs one run; tests answer with a simulation.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/error.h"
#include "locate/search/cell_graph.h"

namespace assay::locate {

// The difference of the sides at a cell: that of its worst result.
struct Reading {
  CellId cell = -1;
  bool differs = false;  // beyond the tolerances
  double size = 0;       // norm of the difference divided by the norm of the second value
};

// The answer to one question; nothing if an engine refuses it.
using Readings = std::optional<std::vector<Reading>>;

struct WholeAnswer {
  // Marking changed an engine's own outputs, so the readings describe another way of running the model.
  bool disturbed = false;
  bool refused = false;           // an engine fails with these marks; there are no readings
  std::vector<Reading> readings;  // one for each marked cell
};

class Probe {
 public:
  virtual ~Probe() = default;

  // Returns how many more runs are allowed.
  [[nodiscard]] virtual int runs_left() const = 0;

  // Runs the whole model with the results of these cells marked as outputs. An error ends the search.
  virtual base::Expected<WholeAnswer> run_whole(std::span<const CellId> marked) = 0;

  // Runs these cells (ascending) as one piece: only its outputs are marked, and its inputs are the good values. Returns
  // readings of its outputs.
  virtual base::Expected<Readings> run_piece(std::span<const CellId> cells) = 0;

  // Runs each of these cells as a piece of its own, all in one run. Returns a reading for each.
  virtual base::Expected<Readings> run_each_alone(std::span<const CellId> cells) = 0;
};

}  // namespace assay::locate
