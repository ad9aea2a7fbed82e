// The first step of a search: runs the unchanged model, to see whether the sides differ at all, and whether each of
// them returns the same values again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "locate/locate.h"
#include "locate/search/cell_graph.h"
#include "locate/sides/pair.h"
#include "locate/sides/sides.h"
#include "tensor/tensor.h"

namespace assay::locate {

// One iteration of the inputs: the first that shows a difference, or else the last.
struct UnchangedRun {
  std::int64_t iteration = 0;
  tensor::NamedTensors first_feeds;
  tensor::NamedTensors second_feeds;
  Answers answers;                             // the model's outputs
  std::vector<CellId> differing;               // cells of outputs that differ between the sides, ascending
  std::optional<std::size_t> random_engine{};  // it returned two different answers to the same inputs: `answers`
  std::vector<std::string> notes;              // on values that vary within the tolerances
};

// Runs one iteration after the other until the outputs differ, and repeats the first one and the one that differs with
// the same inputs (LocateOptions::repeats). Iterations after the first raise the limit of runs. If the user stops it
// after the outputs were seen to differ, the ledger says so. Errors: see locate().
base::Expected<UnchangedRun> run_unchanged(Sides& sides, const LocateInput& input, const LocateOptions& options,
                                           Ledger& ledger, base::Log& log);

}  // namespace assay::locate
