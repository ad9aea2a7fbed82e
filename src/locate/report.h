// Formats what was found, for people and for programs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "locate/location.h"
#include "locate/reduction_cost.h"

namespace assay::locate {

// A command to continue with: a reduction of the saved piece, or of the whole model if no saved piece differs.
struct NextCommand {
  std::string command;
  ReductionCost cost;
};

// Formats the answer in a few lines, then how it was found, the layers at which differences are born, and the next
// command.
std::string to_text(const Location& location, const std::optional<NextCommand>& next = {});
// Formats one JSON object; docs/locate.md describes its keys.
std::string to_json(const Location& location, const std::optional<NextCommand>& next);

// Says how much a tensor differs: "up to 0.05, relative norm 0.01, 3 of 9 values beyond the tolerances".
std::string describe(const Divergence& divergence);
// Say which layers of TensorRT's engines compute the headline's tensor, and which layers have to keep float32. Both are
// empty without TensorRT.
std::vector<std::string> fused_lines(const Location& location);
std::vector<std::string> float32_lines(const Location& location);
// Says how the tensors were compared, and why in that way.
std::string describe_way(const Location& location);

// Says why the saved piece wasn't seen to differ or agree: "an engine fails on it".
const char* why_not_verified(const Location& location);
// Says why no more runs were made: "the limit of runs was reached".
const char* end_of_runs(const Location& location);

// Returns true if the search ended before it pinned down a node, so that a reduction has most of the work still to do.
bool is_open(const Location& location);

}  // namespace assay::locate
