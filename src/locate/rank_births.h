// Finds which of several births matters most: the first is often a harmless rounding error, and a later one ruins the
// outputs.
//
// Births of infinities and NaN come first, the earliest of them. Otherwise the largest errors and the first birth are
// tried in turn: the rest of the model runs with the good values of that cell's results, and the reduction of the
// outputs' error is the share of this birth. The largest share wins, or the largest error if no share is significant:
// if each of two births ruins the outputs alone, neither has a share.
//
// Cost: no run if there is one birth or an infinite one; otherwise at most four, and no more than are allowed.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "base/error.h"
#include "locate/engine_probe.h"
#include "locate/location.h"
#include "locate/search/probe.h"

namespace assay::locate {

struct RankedBirths {
  CellId worst = -1;               // -1: no cell differs alone
  std::map<CellId, double> share;  // share of the outputs' error, from 0 to 1, for each birth tried
  [[nodiscard]] std::optional<double> share_of(CellId cell) const;
};

// Returns the outputs' error (the largest Reading::size) with good values for a cell's results, or nullopt if an engine
// refuses that.
using ErrorWithout = std::function<base::Expected<std::optional<double>>(CellId)>;

// Ranks the births. `alone`: cells that ran by themselves, ascending. `outputs_error`: size of the outputs' error in
// the unchanged model; if 0, no shares are computed. `runs`: how many are allowed.
base::Expected<RankedBirths> rank_births(const std::vector<Reading>& alone, double outputs_error, int runs,
                                         const ErrorWithout& error_without);
// The same with real engines. `outputs`: the layers of the model's outputs.
base::Expected<RankedBirths> rank_births(const std::vector<Reading>& alone, const std::vector<Layer>& outputs, int runs,
                                         EngineProbe& probe);

}  // namespace assay::locate
