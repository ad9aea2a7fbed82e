// Finds out how much memory the tensors of a run need.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "run/make_windows.h"
#include "run/output_forecast.h"

namespace assay::run {

struct WindowSizes {
  std::vector<std::uint64_t> bytes;  // of each tensor; a guess if unknown
  OutputForecast forecast;
};

// Finds the sizes of these tensors for the plan's first inputs. `budget`: the bytes for one copy of all of them; the
// first engine runs the model once if sizes are unknown and the budget may not suffice.
WindowSizes find_window_sizes(const LayerRun& run, const std::vector<std::string>& tensors, const RunPlan& plan,
                              worker::Pool& pool, std::uint64_t budget, base::Log& log);

}  // namespace assay::run
