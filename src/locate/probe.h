// What the search can ask of the two sides. One question is one run; in tests a simulation answers.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/error.h"
#include "locate/cell_graph.h"

namespace assay::locate {

// How far the two are apart at a cell: at the worst of its results.
struct Reading {
  CellId cell = -1;
  bool differs = false;  // beyond the tolerances
  double size = 0;       // norm of the difference divided by the norm of the second's values
};

struct WholeAnswer {
  // With these marks an engine's own outputs are not what they are without: what the readings tell is true of another
  // way of running the model.
  bool disturbed = false;
  bool refused = false;           // an engine does not run with these marks; there are no readings
  std::vector<Reading> readings;  // one for each marked cell
};

class Probe {
 public:
  virtual ~Probe() = default;

  // Runs that may still be made.
  [[nodiscard]] virtual int runs_left() const = 0;

  // Runs the whole model with the results of these cells marked as outputs. Errors end the search.
  virtual base::Expected<WholeAnswer> run_whole(std::span<const CellId> marked) = 0;

  // Runs these cells as one piece: nothing is marked but what leaves it, and what it reads from outside are the good
  // values. Readings of what leaves it; nullopt where an engine refuses the piece. Cells ascending.
  virtual base::Expected<std::optional<std::vector<Reading>>> run_piece(std::span<const CellId> cells) = 0;

  // Runs each of these cells as a piece of its own, all in one run. A reading for each; nullopt as above.
  virtual base::Expected<std::optional<std::vector<Reading>>> run_apart(std::span<const CellId> cells) = 0;
};

}  // namespace assay::locate
