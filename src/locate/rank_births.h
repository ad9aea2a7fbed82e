// Which of several births matters most: the first is often a rounding that nobody would miss, and the one that ruins
// the outputs lies behind it.
//
// Infinities and NaN come first, the earliest of them. Otherwise the largest errors, and the first birth, are tried in
// turn: the rest of the model runs with the good values in the place of that cell's results, and what then is missing
// from the outputs' error is the share that this birth brings. The largest share wins, or the largest error if no share
// is worth mentioning: two births that each ruin the outputs alone have none.
//
// Cost: no run for one birth or an infinite one, else at most four, and none beyond those that are allowed.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "base/error.h"
#include "locate/engine_probe.h"
#include "locate/locate.h"
#include "locate/probe.h"

namespace assay::locate {

struct RankedBirths {
  CellId worst = -1;               // -1: none is born alone
  std::map<CellId, double> share;  // of the outputs' error, from 0 to 1, of the births that were tried
  [[nodiscard]] std::optional<double> share_of(CellId cell) const;
};

// The outputs' error (Reading::size, the largest) with good values in the place of a cell's results; nullopt if an
// engine refuses that.
using ErrorWithout = std::function<base::Expected<std::optional<double>>(CellId)>;

// `alone`: cells that ran by themselves, ascending. `outputs_error`: the size of the outputs' error as it is; 0 if they
// agree, and then no share is looked for. `runs`: how many may be made.
base::Expected<RankedBirths> rank_births(const std::vector<Reading>& alone, double outputs_error, int runs,
                                         const ErrorWithout& error_without);
// The same with real engines. `outputs`: the layers that are outputs of the model.
base::Expected<RankedBirths> rank_births(const std::vector<Reading>& alone, const std::vector<Layer>& outputs, int runs,
                                         EngineProbe& probe);

}  // namespace assay::locate
